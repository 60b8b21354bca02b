import Foundation
import HoldfastTestSupport
import Testing

@Suite("A library inside another library or a backup", .temporaryFolder)
struct InnerLibraryTests {
  let library = LibraryFolder()

  /// Runs a command that makes something, which must be refused and change nothing.
  private func expectRefused(
    _ arguments: [String], environment: [String: String] = [:], saying words: String
  ) async throws {
    let before = try await Find.snapshot(TemporaryFolder.current)
    let result = try await Command.run(
      Command.holdfast, arguments, environment: environment,
      workingDirectory: TemporaryFolder.current)
    #expect((result.status, result.output) == (1, ""), "\(arguments)")
    #expect(result.errorLines.count == 1)
    #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
    #expect(try await Find.snapshot(TemporaryFolder.current) == before)
  }

  private let inLibrary = "is inside a Holdfast library; name a place outside of it"

  @Test(
    "init refuses a folder inside another library, whether it exists or not",
    arguments: [
      "library/inner", "library/Recordings/inner", "library/.trash/x", "library/Recordings/empty",
      "link/inner", "link/empty", "library/Recordings/../inner",
    ])
  func inner(folder: String) async throws {
    try makeFolder("library/Recordings/empty")
    symlink(temporary("library/Recordings"), temporary("link"))
    try await expectRefused(["init", folder], saying: inLibrary)
    try await expectRefused(["init", "--library", folder], saying: inLibrary)
  }

  @Test("init refuses its default place when the home folder is inside a library")
  func home() async throws {
    try makeFolder("library/home")
    let environment = [
      "HOME": temporary("library/home"), "XDG_DATA_HOME": "", "HOLDFAST_LIBRARY": "",
    ]
    try await expectRefused(["init"], environment: environment, saying: inLibrary)
  }

  @Test("A library that was made inside another one by an earlier version still opens")
  func existing() async throws {
    let inner = LibraryFolder("other")
    try await inner.importing("aac.m4a")
    try FileManager.default.moveItem(atPath: inner.path, toPath: "\(library.path)/inner")
    let arguments = ["--library", "\(library.path)/inner"]
    let result = try await Command.run(Command.holdfast, ["init"] + arguments)
    #expect(result.status == 0 && result.output.hasPrefix("There is already a library"))
    #expect(try await Command.run(Command.holdfast, ["list"] + arguments).status == 0)
  }

  @Test("Nothing new is made in a backup: no library, no export, no picture, no other backup")
  func backup() async throws {
    try await library.importing("portrait.mov")
    try await library.holdfast("backup", temporary("bk"))
    let bag = "bk/" + (try #require(try await Find.names(temporary("bk"), ["-name", "2*"]).first))
    let id = try await library.column("SELECT id FROM recording")[0]
    let words = "in a backup, which is never changed; name another place"
    let options = ["--library", library.path]
    for arguments in [
      ["init", "\(bag)/inner"], ["restore", bag, "--to", "\(bag)/inner"],
      ["backup", "\(bag)/inner"] + options,
      ["export", "--format", "json", "--output", "\(bag)/x.json"] + options,
      ["export", "--format", "csv", "--output", "\(bag)/inner"] + options,
      ["thumbnails", id, "--sheet", "\(bag)/x.jpg"] + options,
    ] {
      try await expectRefused(arguments, saying: words)
    }
    try await expectRefused(["init", "\(bag)/data/Recordings/inner"], saying: inLibrary)
  }
}
