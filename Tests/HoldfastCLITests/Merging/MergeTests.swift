import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast merge", .temporaryFolder)
struct MergeTests {
  let library = LibraryFolder()

  /// The export, which is the same for equal libraries.
  private func document(_ library: LibraryFolder) async throws -> String {
    let path = temporary("\(UUID()).json")
    _ = try await library.holdfast("export", "--format", "json", "--output", path)
    return try String(contentsOf: URL(filePath: path), encoding: .utf8)
  }

  /// The contents and times of every file of a library.
  private func state(of path: String) async throws -> String {
    try await Command.output(
      of: "bash",
      [
        "-c",
        "cd \"$0\" && find . -type f -not -name .lock -printf '%p %T@ %m ' -exec sha256sum {} ';' "
          + "| sort",
        path,
      ]
    ).output
  }

  @Test("A row that breaks a rule is named, and does not stop the others", arguments: BrokenRow.all)
  func brokenRow(_ row: BrokenRow) async throws {
    let other = LibraryFolder("other")
    try await other.importing("portrait.mov", "aac.m4a")
    try await library.importing("hevc8.mp4")
    let id = try await other.column("SELECT id FROM recording WHERE type = 'video'")[0]
    _ = try await Command.output(
      of: "sqlite3", [other.path + "/catalog.sqlite", row.statement(about: id)])
    let result = try await library.holdfast("merge", other.path)
    #expect(result.status == 3, "\(result.output)\(result.errorOutput)")
    #expect(result.errorOutput.contains(id), "\(result.errorOutput)")
    #expect(
      try await library.column("SELECT type FROM recording ORDER BY type") == ["audio", "video"])
    try await library.expectSound()
  }

  @Test("Two libraries of one phone become the same library, whichever way they are merged")
  func bothWays() async throws {
    try await library.importing("aac.m4a", "portrait.mov", options: ["--notes", "on my laptop"])
    let other = LibraryFolder("other")
    try await other.importing("portrait.mov", "hevc8.mp4", options: ["--notes", "at home"])
    for (library, plays) in [(library, 1), (other, 2)] {
      let id = try await library.column(
        "SELECT id FROM recording WHERE originalFilename = 'portrait.mov'")[0]
      for _ in 1...plays { _ = try await library.holdfast("play", id, "--count-only") }
      _ = try await library.holdfast("craving", "log", "--intensity", "\(plays)", "--recording", id)
    }
    let ids =
      try await library.column("SELECT id FROM recording WHERE type = 'video'")
      + other.column("SELECT id FROM recording WHERE originalFilename = 'portrait.mov'")
    _ = try await Command.output(of: "cp", ["-a", library.path, temporary("before")])

    let before = try await (state(of: library.path), state(of: other.path))
    let planned = try await library.holdfast("merge", "--dry-run", "--json", other.path)
    #expect(planned.status == 0, "\(planned.errorOutput)")
    #expect(try await state(of: library.path) == before.0)
    let merged = try await library.holdfast("merge", "--json", other.path)
    #expect(merged.status == 0, "\(merged.errorOutput)")
    #expect(
      merged.output.replacing("\"merged\"", with: "\"planned\"") == planned.output,
      "\(merged.output)")
    #expect(try await state(of: other.path) == before.1)
    let back = try await other.holdfast("merge", temporary("before"))
    #expect(back.status == 0, "\(back.errorOutput)")
    #expect(try await document(library) == document(other))
    for library in [library, other] {
      try await library.expectSound()
      let row = try await library.sql(
        "SELECT id, playCount, notes FROM recording WHERE originalFilename = 'portrait.mov'")[0]
      #expect(row[0] == ids.min() && row[1] == "3")
      #expect(row[2].contains("on my laptop") && row[2].contains("at home"))
      #expect(
        try await library.column("SELECT count(*) FROM craving WHERE recordingId = '\(row[0])'")
          == ["2"])
    }
    // Its other ID still finds it.
    let shown = try await library.holdfast("show", "--json", ids.max() ?? "")
    #expect(shown.output.contains(ids.min() ?? "?"), "\(shown.output)\(shown.errorOutput)")
  }

  @Test("A backup is merged like a library, and its files are copied, not shared")
  func backup() async throws {
    let other = LibraryFolder("other")
    try await other.importing("aac.m4a", "portrait.mov")
    _ = try await other.holdfast("backup", temporary("backups"))
    try FileManager.default.removeItem(atPath: other.path)
    let merged = try await library.holdfast("merge", temporary("backups"))
    #expect(merged.status == 0, "\(merged.errorOutput)")
    try await library.expectSound()
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"])
    #expect(try await library.find("-type", "f", "-links", "+1") == [])
  }

  @Test(
    "A damaged recording is named and left out, and the rest is merged",
    arguments: [
      "truncate -s -1 \"$0\"", "printf XYZ | dd of=\"$0\" seek=500 bs=1 conv=notrunc",
      """
      truncate -s 65G "$0"; sqlite3 "$(dirname "$0")/../catalog.sqlite" \
        "UPDATE recording SET fileSize = 65 << 30 WHERE type = 'audio'"
      """,
    ])
  func damaged(script: String) async throws {
    let other = LibraryFolder("other")
    try await other.importing("aac.m4a", "portrait.mov")
    let file = "\(other.path)/\(try await other.find("-name", "*.m4a")[0])"
    _ = try await Command.output(of: "bash", ["-c", script, file])
    let result = try await library.holdfast("merge", other.path)
    #expect(result.status == 3, "\(result.output)")
    let id = try await other.column("SELECT id FROM recording WHERE type = 'audio'")[0]
    #expect(result.errorOutput.contains("\(id): ") && result.errorOutput.contains("damaged"))
    #expect(try await library.column("SELECT type FROM recording") == ["video"])
    try await library.expectSound()
  }

  @Test("A recording without its thumbnail is merged, and a note says what to do")
  func noThumbnail() async throws {
    let other = LibraryFolder("other")
    try await other.importing("portrait.mov")
    try FileManager.default.removeItem(
      atPath: "\(other.path)/\(try await other.find("-name", "*_thumb.jpg")[0])")
    let result = try await library.holdfast("merge", other.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.errorOutput.contains("holdfast thumbnails --missing"))
    #expect(try await library.holdfast("thumbnails", "--missing").status == 0)
    #expect(try await library.findings() == [])
  }

  @Test("A missing library does not stop the others")
  func oneMissing() async throws {
    let other = LibraryFolder("other")
    try await other.importing("aac.m4a")
    let result = try await library.holdfast("merge", temporary("nowhere"), other.path)
    #expect(result.status == 3)
    #expect(result.errorOutput.contains("nowhere"), "\(result.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
  }

  @Test("A folder that cannot be merged is refused, and nothing changes")
  func refused() async throws {
    try await library.importing("aac.m4a")
    let before = try await state(of: library.path)
    for (path, words) in [
      (library.path, "it is this library"), (temporary("nothing"), "could not open"),
      (temporary(""), "no backup"),
    ] {
      let result = try await library.holdfast("merge", path)
      #expect(result.status == 1, "\(path)")
      #expect(result.errorOutput.lowercased().contains(words), "\(result.errorOutput)")
    }
    #expect(try await state(of: library.path) == before)
  }

  @Test("A merge that is killed loses nothing, and goes on where it stopped")
  func killed() async throws {
    for round in 1...Extent.choose(sample: 4, whole: 50) {
      let names = ["own-\(round)", "other-\(round)"]
      let folders = names.map { LibraryFolder($0) }
      try await folders[0].importing("aac.m4a", "portrait.mov")
      try await folders[1].importing("portrait.mov", "hevc8.mp4", "voice.wav")
      let delay = Double.random(in: 0...0.12)
      // Each into the other, at once.
      async let first = kill(folders[0], mergingWith: folders[1], after: delay)
      async let second = kill(folders[1], mergingWith: folders[0], after: delay)
      _ = try await (first, second)
      for (library, other) in [(folders[0], folders[1]), (folders[1], folders[0])] {
        let result = try await library.holdfast("merge", other.path)
        #expect(result.status == 0, "\(delay): \(result.output)\(result.errorOutput)")
      }
      for library in folders {
        try await library.expectSound("killed after \(delay) s")
        #expect(try await library.column("SELECT count(*) FROM recording") == ["4"], "\(delay)")
      }
      #expect(try await document(folders[0]) == document(folders[1]), "\(delay)")
      for library in folders { try FileManager.default.removeItem(atPath: library.path) }
    }
  }

  private func kill(
    _ library: LibraryFolder, mergingWith other: LibraryFolder, after delay: Double
  ) async throws -> CommandResult {
    try await Command.run(
      "timeout",
      ["-s", "KILL", "\(delay)", try Command.holdfast] + library.command(["merge", other.path]))
  }
}
