import Foundation
import HoldfastTestSupport
import Testing

@Suite("Files that belong to others", .temporaryFolder)
struct CompanionImportTests {
  let library = LibraryFolder()

  /// Makes a movie that differs from every other.
  private func movie(_ name: String, seconds: Double = 2, isIdentified: Bool = false) async throws {
    let identifier =
      isIdentified
      ? ["-metadata", "com.apple.quicktime.content.identifier=\(UUID().uuidString)"] : []
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i",
        "testsrc2=size=64x64:rate=10:duration=\(seconds)", "-c:v", "libx264", "-pix_fmt",
        "yuv420p", "-metadata", "comment=\(UUID().uuidString)",
      ] + identifier + ["-movflags", "use_metadata_tags", "-f", "mov", temporary("in/\(name)")])
  }

  /// Makes a photo that says that it is a motion photo.
  private func motionPhoto(_ name: String) throws {
    let xmp = "<x:xmpmeta><rdf:Description GCamera:MotionPhoto=\"1\"/></x:xmpmeta>"
    let photo = try Data(contentsOf: URL(filePath: Fixtures.path("photo.jpg")))
    let segment = Data("http://ns.adobe.com/xap/1.0/\0\(xmp)".utf8)
    let length = Bytes.big(UInt16(segment.count + 2))
    try (photo.prefix(2) + [0xFF, 0xE1] + length + segment + photo.dropFirst(2))
      .write(to: URL(filePath: temporary("in/\(name)")))
  }

  private func names(_ lines: [ImportLine]) -> [String] {
    lines.compactMap { $0.source.map { URL(filePath: $0).lastPathComponent } }.sorted()
  }

  @Test("Each is skipped with a word, and --companions imports it")
  func skipped() async throws {
    let folder = try makeFolder("in")
    // Live Photos and motion photos.
    try await movie("IMG_1_HEVC.MOV", isIdentified: true)
    try copyFixture("photo.heic", to: "in/IMG_1.HEIC")
    try await movie("img_2.mov", isIdentified: true)
    try copyFixture("photo.heic", to: "in/Img_2.HEIC")
    try await movie("IMG_E3.MOV", isIdentified: true)
    try copyFixture("photo.heic", to: "in/IMG_3.HEIC")
    try await movie("PXL_20240506_070809123.MP")
    try copyFixture("photo.jpg", to: "in/PXL_20240506_070809123.MP.jpg")
    try await movie("PXL_20240507_070809123.mp4")
    try motionPhoto("PXL_20240507_070809123.MP.jpg")
    try await movie("20240506_070809.mp4")
    try motionPhoto("20240506_070809.jpg")
    // Small copies, and downloads.
    try await movie("GL010012.LRV")
    try await movie("GH010012.MP4")
    try await movie("DJI_0001.LRF")
    try await movie("DJI_0001.MP4")
    try await movie("clip.mp4.part")
    try await movie("clip.mov.crdownload")
    // Recordings: a clip beside a snapshot, a copy without its original, an edited video.
    try await movie("20240508_070809.mp4")
    try copyFixture("photo.jpg", to: "in/20240508_070809.jpg")
    try await movie("GL010013.LRV")
    try await movie("IMG_E5.MOV", seconds: 5)
    try await movie("IMG_5.MOV", seconds: 6)
    let result = try await library.holdfast(["import", "--json", folder])
    let lines = try ImportLine.lines(of: result).dropLast()
    #expect(
      names(lines.filter { $0.event == "imported" }) == [
        "20240508_070809.mp4", "DJI_0001.MP4", "GH010012.MP4", "GL010013.LRV", "IMG_5.MOV",
        "IMG_E5.MOV",
      ])
    #expect(
      names(lines.filter { $0.reason == "livePhoto" }) == [
        "20240506_070809.mp4", "IMG_1_HEVC.MOV", "IMG_E3.MOV", "PXL_20240506_070809123.MP",
        "PXL_20240507_070809123.mp4", "img_2.mov",
      ])
    #expect(names(lines.filter { $0.reason == "proxy" }) == ["DJI_0001.LRF", "GL010012.LRV"])
    #expect(
      names(lines.filter { $0.reason == "unfinished" }) == ["clip.mov.crdownload", "clip.mp4.part"])
    let said = try await library.holdfast(["import", folder])
    #expect(said.output.contains("6 Live Photos skipped, 4 companions skipped"))
    #expect(
      said.errorLines.contains(
        "skipped   \(folder)/GL010012.LRV: a small copy of GH010012.MP4; "
          + "import it with --companions"))
    let others = try await library.importEvents("--companions", folder)
    #expect(others.last?.imported == 10)
  }
}
