import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast init", .temporaryFolder)
struct InitTests {
  private func initialize(_ arguments: String...) async throws -> CommandResult {
    try await Command.run(
      Command.holdfast, ["init"] + arguments, environment: ["HOLDFAST_LIBRARY": ""],
      workingDirectory: TemporaryFolder.current)
  }

  @Test("makes a library in a new or empty folder", arguments: [true, false])
  func made(isThere: Bool) async throws {
    if isThere { try makeFolder("rec") }
    let library = LibraryFolder(at: "rec")
    let result = try await initialize("rec")
    #expect((result.status, result.errorOutput) == (0, ""))
    #expect(result.output == "Made a new library in \(library.path).\n")
    try await library.importing("aac.m4a")
    try await library.expectSound()
  }

  @Test("resolves a relative name in the working folder, whatever it looks like")
  func relative() async throws {
    let result = try await initialize("--library", "file:lib?mode=ro")
    #expect(result.status == 0)
    let library = LibraryFolder(at: "file:lib?mode=ro")
    try await library.importing("aac.m4a")
    #expect(try await library.find("-name", "holdfast.json") == ["holdfast.json"])
    #expect(try await library.find("-name", "*.m4a").count == 1)
  }

  @Test("leaves an existing library as it is, and says so")
  func again() async throws {
    let library = LibraryFolder()
    try await library.importing("aac.m4a", "hevc10.mov")
    let before = try await Find.snapshot(TemporaryFolder.current)
    let result = try await initialize("library")
    #expect((result.status, result.errorOutput) == (0, ""))
    #expect(result.output == "There is already a library in \(library.path).\n")
    #expect(try await Find.snapshot(TemporaryFolder.current) == before)
    try await library.expectSound()
  }

  @Test("says which library it is, as JSON")
  func json() async throws {
    struct Answer: Decodable, Equatable { var event, library, id: String }
    let library = LibraryFolder(at: "rec")
    for event in ["made", "exists"] {
      let result = try await initialize("--json", "rec")
      #expect((result.status, result.errorOutput) == (0, ""))
      let answers = try result.jsonLines(of: Answer.self)
      let uuid = try await library.column("SELECT uuid FROM library")[0]
      #expect(answers == [Answer(event: event, library: library.path, id: uuid)])
    }
  }

  @Test(
    "refuses a file, a missing parent, a folder with other things, and a library's look-alike",
    arguments: [
      ("mkdir rec; touch rec/notes.txt", "rec: neither empty nor a library; name a new folder"),
      ("mkdir rec; echo {} > rec/holdfast.json", "rec: neither empty nor a library"),
      ("mkdir -p rec/Recordings; touch rec/Recordings/a.mov", "rec: neither empty nor a library"),
      ("touch rec", "rec: could not open: Not a directory"),
      ("mkdir other; ln -s nowhere rec", "rec"),
      (
        "mkdir rec; touch rec/catalog.sqlite; echo {} > rec/holdfast.json",
        "rec/holdfast.json: damaged"
      ),
    ])
  func refused(script: String, reason: String) async throws {
    let folder = TemporaryFolder.current
    _ = try await Command.output(of: "bash", ["-c", script], workingDirectory: folder)
    let before = try await Find.snapshot(folder)
    let result = try await initialize("rec")
    #expect((result.status, result.output) == (1, ""))
    #expect(result.errorLines.count == 1)
    #expect(result.errorOutput.contains("\(folder)/\(reason)"), "\(result.errorOutput)")
    #expect(try await Find.snapshot(folder) == before)
  }

  @Test("makes no folder above the one that is named: a disk may not be mounted")
  func parentMissing() async throws {
    let result = try await initialize("usb/rec")
    #expect(result.status == 1)
    #expect(
      result.errorOutput == """
        Error: \(TemporaryFolder.current)/usb: the folder does not exist; mount its \
        disk, or make the folder first

        """)
    #expect(try await Find.names(TemporaryFolder.current, []).isEmpty)
  }

  @Test("Of several inits at once, one makes the library, and all find it")
  func atOnce() async throws {
    let outputs = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 {
        group.addTask {
          let result = try await initialize("rec")
          #expect((result.status, result.errorOutput) == (0, ""))
          return result.output
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outputs.count { $0.hasPrefix("Made ") } == 1)
    try await LibraryFolder(at: "rec").expectSound()
  }

  @Test("init completes what a killed init left, whenever that was killed")
  func killed() async throws {
    let steps = [
      "mkdirat": [1, 3, 5], "pwrite64": [1, 8], "fsync": [1, 3], "fdatasync": [1, 2],
      "renameat2": [1],
    ]
    var kills = 0
    for (call, numbers) in steps {
      for number in numbers {
        let library = LibraryFolder(at: "\(call)\(number)")
        let killed = try await Strace.run(
          ["trace=\(call)", "inject=\(call):signal=KILL:when=\(number)"], library.command(["init"])
        ).result.wasKilled
        if killed { kills += 1 }
        #expect(try await library.holdfast("init").status == 0)
        try await library.expectSound()
      }
    }
    #expect(kills > 6)
  }
}
