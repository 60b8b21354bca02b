import Foundation
import HoldfastTestSupport
import Testing

@Suite("Live Photos", .temporaryFolder, .notInSample)
struct LivePhotoTests {
  let library = LibraryFolder()

  /// Makes a movie of some seconds, with the identifier of a Live Photo if asked for.
  private func movie(_ name: String, seconds: Double, isIdentified: Bool) async throws {
    let identifier =
      isIdentified
      ? ["-metadata", "com.apple.quicktime.content.identifier=\(UUID().uuidString)"] : []
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=10:duration=\(seconds)",
        "-c:v", "libx264", "-pix_fmt", "yuv420p",
      ] + identifier + ["-movflags", "use_metadata_tags", "-f", "mov", temporary(name)])
  }

  /// A phone's folder, and the halves of Live Photos in it.
  private func makePhone() async throws -> (folder: String, halves: [String: String]) {
    let folder = try makeFolder("DCIM")
    try await movie("DCIM/IMG_1.MOV", seconds: 2, isIdentified: true)
    try copyFixture("photo.heic", to: "DCIM/IMG_1.HEIC")
    try await movie("DCIM/IMG_2.mov", seconds: 2.5, isIdentified: false)
    try copyFixture("photo.jpg", to: "DCIM/IMG_2.JpG")
    try await movie("DCIM/IMG_3.Mov", seconds: 5, isIdentified: true)
    try copyFixture("photo.jpg", to: "DCIM/IMG_3.jpeg")
    try await movie("DCIM/IMG_4.MP4", seconds: 2, isIdentified: true)
    try copyFixture("photo.heic", to: "DCIM/IMG_4.heif")
    // Recordings: no photo; another one's photo; too long; a clip and a snapshot of Android's.
    try await movie("DCIM/IMG_5.MOV", seconds: 2.1, isIdentified: true)
    try await movie("DCIM/IMG_6.MOV", seconds: 2.2, isIdentified: false)
    try copyFixture("photo.heic", to: "DCIM/IMG_60.HEIC")
    try await movie("DCIM/IMG_7.MOV", seconds: 4, isIdentified: false)
    try copyFixture("photo.heic", to: "DCIM/IMG_7.HEIC")
    try await movie("DCIM/IMG_8.mp4", seconds: 2.3, isIdentified: false)
    try copyFixture("photo.jpg", to: "DCIM/IMG_8.jpg")
    try await movie("DCIM/IMG_9.MOV", seconds: 2.4, isIdentified: false)
    try makeFolder("DCIM/IMG_9.HEIC")
    let halves = [
      "IMG_1.MOV": "IMG_1.HEIC", "IMG_2.mov": "IMG_2.JpG", "IMG_3.Mov": "IMG_3.jpeg",
      "IMG_4.MP4": "IMG_4.heif",
    ]
    return (folder, halves)
  }

  private func name(_ line: ImportLine) -> String {
    line.source.map { URL(filePath: $0).lastPathComponent } ?? ""
  }

  @Test(
    "The movie half of a Live Photo is skipped when its photo is beside it, and nothing else is",
    arguments: [false, true], [[], ["--dry-run"]])
  func leftOut(areNamed: Bool, options: [String]) async throws {
    let (folder, halves) = try await makePhone()
    let movies = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { ["mov", "mp4"].contains(URL(filePath: $0).pathExtension.lowercased()) }
    let sources = areNamed ? movies.map { "\(folder)/\($0)" } : [folder]
    let result = try await library.holdfast(["import", "--json"] + options + sources)
    #expect(result.status == 0, "\(result.errorOutput)")
    let lines = try ImportLine.lines(of: result)
    let leftOut = lines.filter { $0.reason == "livePhoto" }
    #expect(leftOut.allSatisfy { $0.event == "skipped" && $0.recording == nil })
    #expect(
      Dictionary(leftOut.map { (name($0), $0.photo) }, uniquingKeysWith: { $1 }) == halves)
    let taken = lines.filter { $0.event == "imported" || $0.reason == "dryRun" }
    #expect(taken.map(name).sorted() == (5...9).map { $0 == 8 ? "IMG_8.mp4" : "IMG_\($0).MOV" })
    #expect(lines.last?.skipped == 4 && lines.last?.failed == 0)
  }

  @Test(
    "--companions imports them, under its old name too",
    arguments: ["--companions", "--include-live-photos"])
  func included(option: String) async throws {
    let (folder, halves) = try await makePhone()
    let lines = try await library.importEvents(option, folder)
    #expect(lines.last?.imported == 5 + halves.count && lines.last?.skipped == 0)
    try await library.expectSound()
  }

  @Test("The output says what was left out, why, and how to import it")
  func words() async throws {
    let folder = try makeFolder("DCIM")
    try await movie("DCIM/IMG_1.MOV", seconds: 2, isIdentified: true)
    try copyFixture("photo.heic", to: "DCIM/IMG_1.HEIC")
    try await library.importing("aac.m4a")
    let result = try await library.holdfast("import", folder)
    #expect(result.status == 0)
    #expect(
      result.errorLines == [
        "skipped   \(folder)/IMG_1.MOV: the movie half of the Live Photo IMG_1.HEIC; "
          + "import it with --companions"
      ])
    #expect(result.output == "Nothing new: 1 Live Photo skipped.\n")
    #expect(try await library.holdfast("import", "--quiet", folder).errorOutput.isEmpty)
    try copyFixture("aac.m4a", to: "DCIM/memo.m4a")
    try await movie("DCIM/IMG_2.MOV", seconds: 2, isIdentified: true)
    try copyFixture("photo.heic", to: "DCIM/IMG_2.jpg")
    let more = try await library.holdfast("import", folder, Fixtures.path("voice.wav"))
    #expect(
      more.lines.last == "1 imported, 1 already in the library, 2 Live Photos skipped.")
  }

  @Test("Only the header of a movie with the identifier is read, and no photo")
  func headerOnly() async throws {
    try makeFolder("DCIM")
    try await library.importing("aac.m4a")
    try await movie("DCIM/IMG_1.MOV", seconds: 3, isIdentified: true)
    // The data after the index are never read: here they are a hole of a hundred megabytes.
    let path = temporary("DCIM/IMG_1.MOV")
    _ = try await Command.output(
      of: "ffmpeg",
      ["-v", "error", "-i", path, "-c", "copy", "-map_metadata", "0"]
        + ["-movflags", "use_metadata_tags+faststart", temporary("DCIM/IMG_2.MOV")])
    try FileManager.default.removeItem(atPath: path)
    let movie = temporary("DCIM/IMG_2.MOV")
    #expect(truncate(movie, 100_000_000) == 0)
    try copyFixture("photo.heic", to: "DCIM/IMG_2.HEIC")
    let trace = try await Strace.run(
      ["trace=pread64,read,openat"], library.command(["import", movie]))
    #expect(trace.result.output == "Nothing new: 1 Live Photo skipped.\n")
    let reads = trace.calls.filter {
      ($0.hasPrefix("pread64(") || $0.hasPrefix("read(")) && $0.contains("IMG_2.MOV>")
    }
    let bytes = reads.compactMap { $0.split(separator: "= ").last.flatMap { Int($0) } }
      .reduce(0, +)
    #expect(!reads.isEmpty && bytes < 2_000_000, "\(bytes) bytes")
    #expect(!trace.calls.contains { $0.contains("IMG_2.HEIC") })
  }

  @Test(
    "A Live Photo's movie from a real iPhone is known by its identifier",
    .enabled(if: Corpus.folder != nil, "the corpus is not there"))
  func realOne() async throws {
    let movie = try #require(Corpus.path("video/iphone/Lychee__train.mov"))
    try makeFolder("DCIM")
    try FileManager.default.copyItem(atPath: movie, toPath: temporary("DCIM/IMG_1.MOV"))
    let alone = try await library.importEvents("--dry-run", temporary("DCIM"))
    #expect(alone.last?.planned == 1)
    try copyFixture("photo.heic", to: "DCIM/IMG_1.HEIC")
    let lines = try await library.importEvents(temporary("DCIM"))
    #expect(lines.first?.reason == "livePhoto")
  }
}
