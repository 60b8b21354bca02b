import Foundation
import HoldfastTestSupport
import Testing

@Suite("Importing the files, then the data again", .temporaryFolder)
struct DataAgainTests {
  let library = LibraryFolder()

  /// Everything that a person added to the recordings, in the order of their IDs.
  private func words(_ library: LibraryFolder) async throws -> [[String]] {
    try await library.sql(
      """
      SELECT title, notes, purpose, playCount, recording.modifiedAt,
        (SELECT count(*) FROM craving WHERE recordingId = recording.id)
      FROM recording ORDER BY id
      """)
  }

  @Test("Title, notes, plays and links are restored to a recording whose file has other bytes")
  func otherBytes() async throws {
    try await library.importing("portrait.mov", options: ["--keep-metadata"])
    let id = try await library.column("SELECT id FROM recording")[0]
    _ = try await library.record(
      "edit", id, "--title", "Why", "--notes", "for Anna", "--purpose", "milestone")
    _ = try await library.holdfast("play", id, "--count-only")
    _ = try await library.record("craving", "log", "--intensity", "5", "--recording", id)
    let document = try await library.export(to: "export.json")
    let other = LibraryFolder("other")
    _ = try await other.importData(document, status: 3)
    try await other.importing("portrait.mov", options: ["--allow-duplicates"])
    try #require(
      try await other.column("SELECT fileSHA256 FROM recording")
        != library.column("SELECT fileSHA256 FROM recording"))
    _ = try await other.importData(document)
    #expect(try await words(other) == words(library))
    #expect(try await other.importData(document).lines[0] == "recordings: 1 unchanged")
    try await other.expectSound()
  }

  @Test("Several recordings of one source are matched in the order of their IDs")
  func severalOfOneSource() async throws {
    let options = ["--allow-duplicates", "--keep-metadata"]
    for _ in 1...3 { try await library.importing("portrait.mov", options: options) }
    let ids = try await library.column("SELECT id FROM recording ORDER BY id")
    for (number, id) in ids.enumerated() {
      _ = try await library.record("edit", id, "--title", "number \(number)")
      _ = try await library.record("craving", "log", "--intensity", "5", "--recording", id)
    }
    // One is deleted, and all are imported again: the remaining ones are found by their IDs.
    let document = try await library.export(to: "export.json")
    let before = try await words(library)
    _ = try await library.holdfast("delete", "--yes", ids[1])
    try await library.importing("portrait.mov", options: ["--allow-duplicates"])
    _ = try await library.importData(document)
    #expect(
      try await words(library).sorted { $0[0] < $1[0] } == before.sorted { $0[0] < $1[0] })
    let other = LibraryFolder("other")
    for _ in ids { try await other.importing("portrait.mov", options: ["--allow-duplicates"]) }
    _ = try await other.importData(document)
    #expect(try await words(other) == before)
    // The extra one has no file: the others keep their own.
    let fewer = LibraryFolder("fewer")
    for _ in 1...2 { try await fewer.importing("portrait.mov", options: ["--allow-duplicates"]) }
    _ = try await fewer.importData(document, status: 3)
    #expect(try await words(fewer) == Array(before.prefix(2)))
  }

  @Test(
    "Of two recordings with the same file, a missing one gives its text to no other",
    arguments: [true, false], [true, false])
  func oneOfTwo(isKnownByID: Bool, isEditedInOrder: Bool) async throws {
    for _ in 1...2 { try await library.importing("aac.m4a", options: ["--allow-duplicates"]) }
    let ids = try await library.column("SELECT id FROM recording ORDER BY id")
    let edits = Array(ids.enumerated())
    for (number, id) in isEditedInOrder ? edits : edits.reversed() {
      _ = try await library.record("edit", id, "--title", "number \(number)")
      _ = try await library.holdfast("play", id, "--count-only")
      _ = try await library.record("craving", "log", "--intensity", "5", "--recording", id)
    }
    #expect(
      try await library.column("SELECT count(DISTINCT fileSHA256) FROM recording") == ["1"])
    let document = try await library.export(to: "export.json")
    let before = try await words(library)
    let other = isKnownByID ? library : LibraryFolder("other")
    if isKnownByID {
      try #require(try await library.holdfast("delete", "--yes", ids[1]).status == 0)
    } else {
      try await other.importing("aac.m4a")
    }
    for _ in 1...2 {
      let result = try await other.importData(document, status: 3)
      #expect(result.lines[0].hasSuffix(", 1 no file"), "\(result.output)")
      #expect(result.errorOutput.contains(ids[1].prefix(8)), "\(result.errorOutput)")
      #expect(try await words(other) == [before[0]])
    }
    let links = "SELECT count(*), count(recordingId) FROM craving"
    #expect(try await other.sql(links) == [["2", "1"]])
    // With its file, it gets them.
    try await other.importing("aac.m4a", options: ["--allow-duplicates"])
    _ = try await other.importData(document)
    #expect(
      try await words(other).sorted { $0[0] < $1[0] } == before.sorted { $0[0] < $1[0] })
  }

  @Test("A further recording of the source gets nothing that an earlier import gave another")
  func furtherRecording() async throws {
    try await library.importing("aac.m4a", options: ["--title", "For Anna"])
    let id = try await library.column("SELECT id FROM recording")[0]
    _ = try await library.holdfast("play", id, "--count-only")
    _ = try await library.record("craving", "log", "--intensity", "5", "--recording", id)
    let document = try await library.export(to: "export.json")
    let other = LibraryFolder("other")
    try await other.importing("aac.m4a")
    _ = try await other.importData(document)
    let before = try await words(other)
    // Until one sorts before the first.
    for _ in 1...40 where try await words(other)[0] == before[0] {
      try await other.importing("aac.m4a", options: ["--allow-duplicates"])
    }
    let edited = try await other.column("SELECT id FROM recording WHERE title = 'For Anna'")[0]
    #expect(try await other.importData(document).lines[0] == "recordings: 1 unchanged")
    // Nor does it when the text was edited since.
    _ = try await other.record("edit", edited, "--title", "For Ada")
    #expect(try await other.importData(document).lines[0] == "recordings: 1 unchanged")
    let given = try await words(other).filter { $0[0] != "" || $0[3] != "0" || $0[5] != "0" }
    #expect(given.map { [$0[0], $0[3], $0[5]] } == [["For Ada", "1", "1"]])
    try await other.expectSound()
  }

  @Test("The parts of a long source are matched with the same parts")
  func parts() async throws {
    let source = try await longVideo()
    let split = ["--over-limit", "split", "--allow-duplicates", source]
    try #require(try await library.holdfast(["import", "--max-height", "100"] + split).status == 0)
    for row in try await library.sql("SELECT id, part FROM recording") {
      _ = try await library.record("edit", row[0], "--title", "part \(row[1])")
    }
    let document = try await library.export(to: "export.json")
    let other = LibraryFolder("other")
    try #require(try await other.holdfast(["import", "--max-height", "60"] + split).status == 0)
    _ = try await other.importData(document)
    let titles = try await other.column("SELECT title FROM recording ORDER BY part")
    #expect(titles.count > 1)
    #expect(titles == titles.indices.map { "part \($0 + 1)" })
  }

  /// A video of more than two minutes.
  private func longVideo() async throws -> String {
    let path = temporary("long.mp4")
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=2:duration=130", "-c:v",
        "libx264", "-pix_fmt", "yuv420p", path,
      ])
    return path
  }

  @Test("Of several recordings of one source, each gets the text of the one with its file")
  func sameFiles() async throws {
    let options = [
      ["--title", "copy"], ["--allow-duplicates", "--video", "h264", "--title", "encode"],
    ]
    for option in options { try await library.importing("hevc8.mp4", options: option) }
    let document = try await library.export(to: "export.json")
    for name in ["one", "two", "three"] {
      let other = LibraryFolder(name)
      for option in options {
        try await other.importing("hevc8.mp4", options: Array(option.dropLast(2)))
      }
      _ = try await other.importData(document)
      let titles = "SELECT title, fileSHA256 FROM recording ORDER BY title"
      #expect(try await other.sql(titles) == library.sql(titles))
    }
  }
}
