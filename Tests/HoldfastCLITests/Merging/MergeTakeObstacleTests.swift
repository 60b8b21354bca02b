import Foundation
import Glibc
import HoldfastTestSupport
import Testing

@Suite("merge --take with something in the way", .temporaryFolder)
struct MergeTakeObstacleTests {
  private let library = LibraryFolder()
  private let other = LibraryFolder("other")

  private func merge(_ options: String...) async throws -> CommandResult {
    try await library.holdfast(["merge", "--take", other.path] + options)
  }

  /// Changes bytes of a file, but not of its other name in the other library.
  private func damage(_ path: String) async throws {
    _ = try await Command.output(
      of: "bash",
      [
        "-c",
        "cp -a \"$0\" \"$0.new\"; printf XX | dd of=\"$0.new\" bs=1 seek=100 conv=notrunc; "
          + "mv \"$0.new\" \"$0\"",
        path,
      ])
  }

  @Test(
    "leaves a recording whose row cannot be read, and names it",
    arguments: [
      "UPDATE recording SET id = id || char(0) || 'x' WHERE type = 'audio'",
      "PRAGMA ignore_check_constraints = ON; UPDATE recording SET id = lower(id) "
        + "WHERE type = 'audio'",
    ])
  func strangeID(script: String) async throws {
    try await other.importing("aac.m4a", "portrait.mov")
    try await other.changeCatalog(script)
    let result = try await merge()
    #expect(result.status == 3, "\(result.output)")
    #expect(result.errorOutput.contains("its row in the other library cannot be read"))
    #expect(try await other.recordingFiles().count == 1)
    #expect(try await library.column("SELECT type FROM recording") == ["video"])
    try await library.expectSound()
  }

  @Test("merges texts up to a NUL, as SQLite reads them")
  func zeroes() async throws {
    try await other.importing("aac.m4a")
    let columns = ["title", "notes", "originalFilename", "sourceSHA256", "searchText"]
    for column in columns {
      try await other.changeCatalog(
        "UPDATE recording SET \(column) = ifnull(\(column), 't') || char(0) || 'x'")
    }
    #expect(try await merge().status == 0)
    for column in columns {
      #expect(
        try await library.column("SELECT instr(\(column), char(0)) FROM recording") == ["0"],
        "\(column)")
    }
    try await library.expectSound()
    // It is still known by its source.
    let again = try await library.holdfast("import", Fixtures.path("aac.m4a"))
    #expect(again.output.contains("already"), "\(again.output)")
  }

  @Test("leaves a file with a recording's name in this library alone, and merges the others")
  func inTheWay() async throws {
    try await other.importing("aac.m4a", "portrait.mov")
    let path = try await other.column("SELECT filePath FROM recording WHERE type = 'audio'")[0]
    // A second name of the same file was not made by the merge either.
    for stray in ["ln '\(other.path)/\(path)'", "echo stray >"] {
      _ = try await Command.output(
        of: "bash",
        ["-c", "rm -f \"$0\" && \(stray) \"$0\" && chmod 600 \"$0\"", library.path + "/" + path])
      let result = try await merge()
      #expect(result.status == 3, "\(result.output)")
      #expect(result.errorOutput.contains("another file has its name"), "\(result.errorOutput)")
      #expect(try await library.column("SELECT type FROM recording") == ["video"])
      #expect(try await other.recordingFiles() == [path])
      #expect(FileManager.default.fileExists(atPath: library.path + "/" + path))
    }
    #expect(try await library.find("-path", "*/.staging/*") == [])
  }

  @Test("leaves no thumbnail behind, even if it was copied or the merge was killed")
  func thumbnails() async throws {
    try await other.importing("portrait.mov", "hevc8.mp4")
    let thumbnails = "\(other.path)/Recordings/Thumbnails"
    _ = try await Command.output(of: "bash", ["-c", "chmod 644 \"$0\"/*", thumbnails])
    _ = try await Command.run(
      "strace",
      [
        "-f", "-qq", "-o", "/dev/null", "-e", "trace=unlinkat", "-P", thumbnails, "-e",
        "inject=unlinkat:signal=KILL:when=1", try Command.holdfast,
      ] + library.command(["merge", "--take", other.path]))
    #expect(try await merge().status == 0)
    #expect(try await other.recordingFiles() == [])
    try await library.expectSound()
  }

  @Test("keeps a file that is moved into this library during the merge")
  func movedMeanwhile() async throws {
    let first = LibraryFolder("first")
    try await first.importing("pcm.mov")
    try await other.importing("aac.m4a", "portrait.mov")
    let path = try await other.column("SELECT filePath FROM recording WHERE type = 'audio'")[0]
    _ = try await library.holdfast("stats")
    let script = """
      flock "$1/.lock" sleep 2 & sleep 0.2
      "$0" merge --take "$1" "$2" --library "$3" & sleep 0.9
      mv "$2/$4" "$3/$4"; wait
      """
    _ = try await Command.run(
      "bash", ["-c", script, Command.holdfast, first.path, other.path, library.path, path])
    let left = [library.path, other.path].filter {
      FileManager.default.fileExists(atPath: "\($0)/\(path)")
    }
    #expect(left.count == 1, "\(left)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"])
  }

  @Test("keeps all files of a recording that is not merged")
  func notMerged() async throws {
    try await library.importing(
      "aac.m4a", options: ["--notes", String(repeating: "L", count: 3000)])
    try await other.importing("aac.m4a", options: ["--notes", String(repeating: "O", count: 3000)])
    try await other.importing("portrait.mov")
    let result = try await merge()
    #expect(result.status == 3, "\(result.output)")
    #expect(result.output.contains("1 removed from there"), "\(result.output)")
    #expect(try await other.recordingFiles().count == 1)
    #expect(try await other.holdfast("verify", "--deep").status == 4, "the video was taken")
    try await library.expectSound()
  }

  @Test("joins a recording with two others in one command, if its own ID is the largest")
  func threeIDs() async throws {
    var libraries: [(id: String, library: LibraryFolder)] = []
    for name in ["one", "two", "three"] {
      let library = LibraryFolder(name)
      // By the import's rule they are the same.
      _ = try await library.holdfast("import", Fixtures.path("aac.m4a"), "--notes", name)
      libraries.append((try await library.column("SELECT id FROM recording")[0], library))
    }
    libraries.sort { $0.id > $1.id }
    let own = libraries.removeFirst().library
    let result = try await own.holdfast(
      ["merge", "--take"] + libraries.map(\.library.path).reversed())
    #expect(result.status == 0, "\(result.errorOutput)")
    let notes = try await own.column("SELECT notes FROM recording").joined()
    for name in ["one", "two", "three"] { #expect(notes.contains(name), "\(notes)") }
    #expect(try await own.column("SELECT count(*) FROM alias") == ["2"])
    for other in libraries { #expect(try await other.library.recordingFiles() == []) }
    try await own.expectSound()
  }

  @Test("does not confuse a file in the way of one recording with one in the way of another")
  func inTheWayOfOne() async throws {
    try await other.importing("aac.m4a", "portrait.mov")
    let second = LibraryFolder("second")
    _ = try await second.holdfast("merge", other.path)
    let video = try await other.column("SELECT id FROM recording WHERE type = 'video'")[0]
    _ = try await second.holdfast("edit", video, "--notes", "hers")
    let path = try await other.column("SELECT filePath FROM recording WHERE type = 'audio'")[0]
    try "stray".write(toFile: "\(library.path)/\(path)", atomically: true, encoding: .utf8)
    let result = try await merge(second.path)
    #expect(result.status == 3, "\(result.output)")
    let blocked = result.errorOutput.components(separatedBy: "another file has its name").count - 1
    #expect(blocked == 2, "\(result.errorOutput)")
    #expect(try await library.column("SELECT notes FROM recording") == ["hers"])
    #expect(try await second.recordingFiles() == [path])
  }

  @Test(
    "leaves a file that was changed after its row was merged",
    arguments: ["truncate -s -1", "printf x | dd status=none conv=notrunc of="])
  func replaced(change: String) async throws {
    try await other.importing("aac.m4a")
    #expect(try await library.holdfast("merge", other.path).status == 0)
    let file = try await other.path + "/" + other.column("SELECT filePath FROM recording")[0]
    // Not in place: both names stand for one file.
    let space = change.hasSuffix("=") ? "" : " "
    _ = try await Command.output(
      of: "bash",
      ["-c", "cp \"$0\" \"$0.new\"; mv \"$0.new\" \"$0\"; \(change)\(space)\"$0\"", file])
    let before = try Data(contentsOf: URL(fileURLWithPath: file))
    let result = try await merge()
    #expect(result.status == 3)
    #expect(result.errorOutput.contains("stays"), "\(result.errorOutput)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
    try await library.expectSound()
  }

  @Test("says that this library's own file is missing, and what brings it back")
  func lost() async throws {
    try await other.importing("aac.m4a", "portrait.mov")
    #expect(try await library.holdfast("merge", other.path).status == 0)
    let path = try await library.column("SELECT filePath FROM recording WHERE type = 'audio'")[0]
    try FileManager.default.removeItem(atPath: library.path + "/" + path)
    for options in [["merge"], ["merge", "--dry-run"], ["merge", "--take"]] {
      let result = try await library.holdfast(options + [other.path])
      #expect(result.status == 3, "\(options)")
      #expect(
        result.errorOutput.contains("holdfast verify --repair --from \(other.path) brings it back"),
        "\(result.errorOutput)")
    }
    #expect(try await library.holdfast("verify", "--repair", "--from", other.path).status == 0)
    try await library.expectSound()
    #expect(try await merge().status == 0)
    #expect(try await other.recordingFiles() == [])
  }

  @Test("says that this library's own file is known to be damaged, and what brings it back")
  func damaged() async throws {
    try await other.importing("aac.m4a", "portrait.mov")
    #expect(try await library.holdfast("merge", other.path).status == 0)
    let audio = try await library.column("SELECT filePath FROM recording WHERE type = 'audio'")[0]
    try await damage(library.path + "/" + audio)
    #expect(try await library.holdfast("verify", "--deep").status == 4)
    for options in [["merge"], ["merge", "--dry-run"]] {
      let result = try await library.holdfast(options + [other.path])
      #expect(result.status == 3, "\(options)")
      #expect(
        result.errorOutput.contains("holdfast verify --repair --from \(other.path) brings it back"),
        "\(result.errorOutput)")
    }
    // It was put back by hand, and not verified since.
    _ = try await Command.output(
      of: "bash",
      ["-c", "cat \"$0\" > \"$1\"", "\(other.path)/\(audio)", "\(library.path)/\(audio)"])
    #expect(try await library.holdfast("merge", other.path).status == 0)
    #expect(try await library.holdfast("verify", "--deep").status == 0)
    try await library.expectSound()
  }

  @Test("promises no repair from a file that is damaged, too", arguments: [true, false])
  func missingAndDamaged(isCut: Bool) async throws {
    try await other.importing("aac.m4a", "portrait.mov")
    #expect(try await library.holdfast("merge", other.path).status == 0)
    let path = try await library.column("SELECT filePath FROM recording WHERE type = 'audio'")[0]
    try FileManager.default.removeItem(atPath: library.path + "/" + path)
    if isCut {
      _ = try await Command.output(of: "truncate", ["-s", "-1", other.path + "/" + path])
    } else {
      try await damage(other.path + "/" + path)
    }
    let result = try await merge()
    #expect(result.status == 3, "\(result.output)")
    #expect(result.errorOutput.contains("damaged in both libraries"), "\(result.errorOutput)")
    #expect(!result.errorOutput.contains("--repair"), "\(result.errorOutput)")
    #expect(try await other.recordingFiles().count == 1)
  }

  @Test("joins no recording whose file this library lacks, and counts each once")
  func joinedAndLost() async throws {
    // Each library gives each of them its own ID. Either ID may be the smaller one.
    let sources = ["aac.m4a", "portrait.mov", "hevc8.mp4", "voice.wav"]
    for library in [library, other] {
      for source in sources { try await library.importing(source) }
    }
    for path in try await library.column("SELECT filePath FROM recording") {
      try FileManager.default.removeItem(atPath: library.path + "/" + path)
    }
    let before = try await library.sql("SELECT * FROM recording ORDER BY id")
    for options in [["merge", "--dry-run"], ["merge"]] {
      let result = try await library.holdfast(options + [other.path])
      #expect(result.status == 3, "\(result.output)")
      #expect(
        result.errorOutput.ranges(of: "--repair --from \(other.path) brings it back").count
          == sources.count, "\(result.errorOutput)")
      #expect(!result.output.contains("updated"), "\(result.output)")
      #expect(try await library.sql("SELECT * FROM recording ORDER BY id") == before)
    }
    // A file that neither library has gives the same result in a dry run and a real run.
    _ = try await Command.output(
      of: "bash",
      ["-c", "cp -a \"$0\" \"$0.lost\" && rm \"$0.lost\"/Recordings/audio*", other.path])
    let runs = [
      try await library.holdfast("merge", "--dry-run", other.path + ".lost"),
      try await library.holdfast("merge", other.path + ".lost"),
    ]
    #expect(runs[0].status == runs[1].status)
    #expect(runs[0].errorOutput == runs[1].errorOutput, "\(runs.map(\.errorOutput))")
    #expect(try await library.holdfast("verify", "--repair", "--from", other.path).status == 0)
    #expect(try await library.holdfast("merge", other.path).status == 0)
    #expect(try await library.column("SELECT count(*) FROM recording") == ["\(sources.count)"])
    try await library.expectSound()
  }

  @Test("refuses a copy made of hard links at once, because both share one lock")
  func sharedLock() async throws {
    try await library.importing("aac.m4a")
    _ = try await Command.output(
      of: "bash",
      ["-c", "rm -r \"$1\"; cp -al \"$0\" \"$1\"", library.path, other.path])
    let result = try await merge()
    #expect(result.status == 1)
    #expect(result.errorOutput.contains("even the lock"), "\(result.errorOutput)")
    #expect(!result.errorOutput.contains("waiting"))
    try await library.expectSound()
  }
}
