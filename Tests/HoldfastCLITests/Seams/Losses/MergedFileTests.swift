import Foundation
import HoldfastTestSupport
import Testing

/// Merges must not replace a file with one that holds less, or bring a place or a device.
@Suite("Files that merges keep", .temporaryFolder)
struct MergedFileTests {
  let library = LibraryFolder()
  let other = LibraryFolder("other")

  /// Imports one fixture into both libraries.
  private func importing(_ fixture: String, _ own: [String], _ others: [String]) async throws {
    let source = temporary(fixture)
    for (library, options) in [(other, others), (library, own)] {
      try FileManager.default.copyItem(atPath: Fixtures.path(fixture), toPath: source)
      let result = try await library.holdfast(["import", source] + options)
      try #require(result.status == 0, "\(result.errorOutput)")
      try? FileManager.default.removeItem(atPath: source)
    }
  }

  private func hashes(_ library: LibraryFolder) async throws -> [String] {
    let files = try await library.find(
      "-path", "*/Recordings/*", "-not", "-name", "*.jpg", "-type", "f")
    return try await sha256(of: files.map { "\(library.path)/\($0)" }).values.sorted()
  }

  /// A fixture, and an encode of it.
  static let encodes: [(String, [String])] = [
    ("trimmed-hlg.mov", ["--video", "h264"]), ("hevc10.mov", ["--video", "h264"]),
    ("hevc8.mp4", ["--video", "h264"]), ("hevc8.mp4", ["--video", "hevc"]),
    ("aac.m4a", ["--audio", "aac"]), ("portrait.mov", ["--max-height", "160"]),
    ("len-121.m4a", ["--over-limit", "trim", "--audio", "aac"]),
  ]

  @Test("An exact copy is not replaced by an encode, and replaces one", arguments: encodes)
  func exact(fixture: String, options: [String]) async throws {
    let copying = fixture == "len-121.m4a" ? ["--over-limit", "trim"] : ["--move"]
    try await importing(fixture, copying, options)
    let exact = try await hashes(library)
    let encoded = LibraryFolder(at: "encoded")
    _ = try await Command.output(of: "cp", ["-aT", other.path, encoded.path])
    let merged = try await library.holdfast("merge", other.path)
    #expect(merged.status == 0, "\(merged.output)\(merged.errorOutput)")
    #expect(try await hashes(library) == exact)
    #expect(try await encoded.holdfast("merge", library.path).status == 0)
    #expect(try await hashes(encoded) == exact)
    for library in [library, encoded] { try await library.expectSound() }
  }

  @Test("With --take, an encode of what this library has as a copy stays in the other library")
  func taking() async throws {
    try await importing("hevc10.mov", [], ["--video", "h264"])
    let files = try await hashes(other)
    let merged = try await library.holdfast("merge", "--take", other.path)
    #expect(merged.status == 3, "\(merged.output)")
    #expect(merged.errorOutput.contains("this library has another file of the recording"))
    #expect(try await hashes(other) == files)
    try await library.expectSound()
  }

  @Test("If each file lacks something of the other, both stay as recordings of their own")
  func neither() async throws {
    try await importing("portrait.mov", ["--max-height", "160"], ["--audio", "aac"])
    let all = try await (hashes(library) + hashes(other)).sorted()
    let before = LibraryFolder(at: "before")
    _ = try await Command.output(of: "cp", ["-aT", library.path, before.path])
    for (library, other) in [(library, other), (other, before)] {
      for _ in 1...2 {
        let merged = try await library.holdfast("merge", other.path)
        #expect(merged.status == 0, "\(merged.output)\(merged.errorOutput)")
      }
      #expect(try await hashes(library) == all)
      try await library.expectSound()
    }
  }

  @Test(
    "If neither file of one recording covers the other, nothing is replaced, and it is reported")
  func oneID() async throws {
    try await importing("portrait.mov", ["--max-height", "160"], ["--audio", "aac"])
    // As if both had come from a third library.
    let id = try await library.column("SELECT id FROM recording")[0]
    let old = try await other.column("SELECT id FROM recording")[0]
    try await other.changeCatalog(
      """
      PRAGMA foreign_keys = OFF;
      UPDATE recording SET id = '\(id)', filePath = replace(filePath, '\(old)', '\(id)'),
        thumbnailPath = replace(thumbnailPath, '\(old)', '\(id)');
      UPDATE thumbnail SET recordingId = '\(id)'; UPDATE sound SET recordingId = '\(id)';
      """)
    for file in try await other.find("-name", "*\(old)*") {
      try FileManager.default.moveItem(
        atPath: "\(other.path)/\(file)", toPath: "\(other.path)/\(file.replacing(old, with: id))")
    }
    _ = try await other.holdfast("edit", id, "--title", "Edited there")
    let files = try await hashes(library)
    let merged = try await library.holdfast("merge", other.path)
    #expect(merged.status == 3, "\(merged.output)")
    #expect(merged.errorOutput.contains("\(id): each library keeps its own file"))
    #expect(merged.errorOutput.contains("pixels instead of"), "\(merged.errorOutput)")
    #expect(try await hashes(library) == files)
    #expect(try await library.column("SELECT title FROM recording") == ["Edited there"])
    try await library.expectSound()
  }

  @Test("A merge brings no place and no device into a recording that this library has")
  func metadata() async throws {
    try await importing("portrait.mov", [], ["--keep-metadata"])
    let both = [library, other]
    let copies = [LibraryFolder(at: "one"), LibraryFolder(at: "two")]
    for (library, copy) in zip(both, copies) {
      _ = try await Command.output(of: "cp", ["-aT", library.path, copy.path])
    }
    for (library, other) in zip(both, copies.reversed()) {
      #expect(try await library.holdfast("merge", other.path).status == 0)
      #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
    }
    for (library, names) in [(library, false), (other, true)] {
      let file = try await library.find("-name", "*.mov")[0]
      let tags = try await Exif.hasLocationOrDevice("\(library.path)/\(file)")
      #expect(tags.isEmpty == !names, "\(tags)")
    }
    // A recording that is new here is merged as it is.
    let third = LibraryFolder("third")
    #expect(try await third.holdfast("merge", other.path).status == 0)
    #expect(try await hashes(third) == hashes(other))
    #expect(try await third.holdfast("doctor", "--privacy").output.contains("asked to keep"))
  }

  @Test("A rebuilt recording keeps its place and device, which are reported as kept")
  func rebuilt() async throws {
    try await importing("portrait.mov", [], ["--keep-metadata"])
    let before = try await hashes(other)
    try FileManager.default.removeItem(atPath: "\(other.path)/catalog.sqlite")
    #expect(try await other.holdfast("restore", "--rebuild").status == 0)
    #expect(try await hashes(other) == before)
    let privacy = try await other.holdfast("doctor", "--privacy", "--json")
    #expect(privacy.output.contains("keptMetadata"), "\(privacy.output)")
    #expect(!privacy.output.contains("personalData"), "\(privacy.output)")
  }

  @Test(
    "ALAC that lacks bits or channels of its source does not let --move remove it",
    arguments: [["-c:a", "pcm_f32le", "wav"], ["-c:a", "pcm_s32le", "wav"]])
  func lossless(format: [String]) async throws {
    let source = temporary("note.\(format[2])")
    _ = try await Command.output(
      of: "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "sine=duration=1"] + format[..<2] + [source])
    let result = try await library.holdfast("import", "--move", "--audio", "alac", source)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(FileManager.default.fileExists(atPath: source), "\(result.output)")
  }

  @Test("Two recordings of the other library stay two, even if one ID has named both")
  func twoThere() async throws {
    let first = try await importing(into: library, "--keep-metadata", id: "C"..<"G")
    let third = LibraryFolder(at: "third")
    _ = try await Command.output(of: "cp", ["-aT", library.path, third.path])
    _ = try await importing(into: other, id: "8"..<"C")
    let twin = try await importing(into: third, id: "0"..<"8")
    for (id, notes) in [(first, "orig"), (twin, "dup")] {
      #expect(try await third.holdfast("edit", id, "--notes", notes).status == 0)
    }
    // The other library's recording matches the first one here, and the twin there.
    for library in [library, third] {
      #expect(try await library.holdfast("merge", other.path).status == 0)
    }
    for _ in 1...2 {
      #expect(try await library.holdfast("merge", third.path).status == 0)
      let notes = try await library.column("SELECT notes FROM recording ORDER BY notes")
      #expect(notes == ["dup", "orig"])
      try await library.expectSound()
    }
  }

  /// Imports a fixture until its recording has an ID in a range.
  private func importing(
    into library: LibraryFolder, _ options: String..., id range: Range<String>
  ) async throws -> String {
    while true {
      let lines = try await ImportLine.lines(
        of: library.holdfast(
          ["import", "--json", "--allow-duplicates"] + options + [Fixtures.path("aac.m4a")]))
      let id = try #require(lines.first?.recordings?.first?.id)
      if range.contains(id) { return id }
      _ = try await library.holdfast("delete", "--yes", id)
    }
  }
}
