import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastCLI

/// An empty mount point was treated as an empty library: the next command made a new one there,
/// hidden under the disk once mounted, and `--move` put recordings into it.
@Suite("Where there is no library", .temporaryFolder)
struct NoLibraryTests {
  private static let id = NoLibrary.id
  /// Every command that needs a library.
  private static let commands: [[String]] = [
    ["import", "clip.m4a"], ["import", "--dry-run", "clip.m4a"],
    ["import", "--move", "clip.m4a"], ["watch", "."],
    ["list"], ["list", "--json"], ["show", id], ["play", id], ["play", "--count-only", id],
    ["transcribe"], ["transcribe", "--never", id], ["transcript", "show", id],
    ["transcript", "edit", id], ["transcript", "delete", id], ["transcript", "never", id],
    ["transcript", "allow", id],
    ["edit", id, "--title", "x"], ["delete", id], ["thumbnails"], ["stats"], ["verify"],
    ["restore", "usb", "--recording", id], ["restore", "--rebuild"], ["merge", "x"],
    ["serve"],
    ["merge", "--dry-run", "x"],
    ["verify", "--deep"], ["verify", "--repair"], ["verify", "--restore", "x"],
    ["export", "--format", "json"], ["export", "--format", "csv", "--output", "tables"],
    ["import-data", "data.json"], ["import-data", "--dry-run", "data.json"],
    ["import-app", "data.json"], ["import-app", "--dry-run", "data.json"],
    ["erase", "--everything"], ["erase", "--everything", "--yes", id], ["doctor", "--privacy"],
    ["craving", "log", "--intensity", "5"], ["craving", "list"], ["craving", "show", id],
    ["craving", "edit", id, "--notes", "x"], ["craving", "link", id, id],
    ["craving", "unlink", id],
    ["craving", "delete", id], ["usage", "log", "--method", "Dab", "--amount", "1"],
    ["usage", "list"], ["usage", "show", id], ["usage", "edit", id, "--amount", "2"],
    ["usage", "delete", id], ["message", "next"], ["message", "list"], ["message", "add", "x"],
    ["message", "edit", id, "--content", "x"], ["message", "hide", id],
    ["message", "unhide", id],
    ["message", "delete", id], ["journal", "list"],
    ["backup", "usb"], ["backup", "make", "usb"], ["backup", "make", "--dry-run", "usb"],
  ]
  private static let commandsWithoutLibrary = [
    ["init"], ["probe"], ["doctor"], ["backup", "list"], ["backup", "verify"], ["restore"],
    ["transcript", "titles"],
  ]

  @Test("Every command but init says so, and changes nothing")
  func commands() async throws { try await NoLibrary.expectRefusals(of: Self.commands, at: .empty) }

  @Test(
    "Commands report a missing library, whatever is in its place",
    arguments: Extent.sample(NoLibrary.Place.allCases, every: 2))
  func places(place: NoLibrary.Place) async throws {
    let commands = [["list"], ["import", "clip.m4a"], ["craving", "log", "--intensity", "5"]]
    try await NoLibrary.expectRefusals(of: commands, at: place)
  }

  @Test("Commands that need no library work, and make none")
  func unneeded() async throws {
    let before = try await Find.snapshot(TemporaryFolder.current)
    #expect(try await NoLibrary.run(["probe", Fixtures.path("aac.m4a")]).status == 0)
    #expect(try await NoLibrary.run(["doctor"]).errorOutput.isEmpty)
    #expect(try await NoLibrary.run(["import", "--help"]).status == 0)
    #expect(try await Find.snapshot(TemporaryFolder.current) == before)
  }

  @Test("No command of the core is missing from this test")
  func commandsAreAll() throws {
    let tried =
      Self.commands + Self.commandsWithoutLibrary + [
        ["journal", "enable"], ["journal", "disable"],
      ]
    let journals = TestedJournal.all.map { $0.command.word }
    try NoLibrary.expectComplete(
      tried, among: HelpPage.all().filter { !journals.contains($0.command.first ?? "") })
  }

  @Test(
    "A journal can be neither enabled nor disabled",
    arguments: Extent.sample(TestedJournal.all, every: 3))
  func journals(journal: TestedJournal) async throws {
    try await NoLibrary.expectRefusals(
      of: [["enable"], ["disable"], ["disable", "--erase"]]
        .map { ["journal"] + $0 + [journal.name] }, at: .empty)
  }

  @Test("The way out can be copied into a shell, whatever the folder is called")
  func quoted() async throws {
    for (name, word) in [("my lib", "'my lib'"), ("it's", #"'it'\''s'"#), ("für", "für")] {
      let result = try await Command.run(
        Command.holdfast, ["list", "--library", name], workingDirectory: TemporaryFolder.current)
      #expect(result.errorOutput.contains(" holdfast init \(word) makes a new one"))
    }
  }

  @Test(
    "An unmounted disk becomes no library, and --move puts nothing under the mount point",
    .enabled("user namespaces must be allowed to mount a tmpfs") {
      try await FullDiskTests.canMount()
    })
  func unmounted() async throws {
    let clip = try copyFixture("aac.m4a", to: "clip.m4a")
    let mount = try makeFolder("usb")
    let script = """
      set -e
      mount -t tmpfs -o size=40m none "$1"
      "$0" init --library "$1/rec"
      umount "$1"
      "$0" import --library "$1/rec" --move "$2"
      """
    let holdfast = try Command.holdfast
    let result = try await Command.run(
      "unshare", ["-Urm", "bash", "-c", script, holdfast, mount, clip])
    #expect(result.status == 1)
    #expect(
      result.errorOutput.contains("there is no library in \(mount)/rec; is its disk mounted?"))
    #expect(try await sha256(of: clip) == sha256(of: Fixtures.path("aac.m4a")))
    #expect(try await Find.names(mount, []).isEmpty)
  }

  @Test(
    "The library is the option's, else the environment's, else the person's own",
    arguments: [
      (["HOLDFAST_LIBRARY": "%/named", "XDG_DATA_HOME": "%/data"], "named"),
      (["HOLDFAST_LIBRARY": "", "XDG_DATA_HOME": "%/data"], "data/holdfast"),
      (["HOLDFAST_LIBRARY": "", "XDG_DATA_HOME": "relative"], "home/.local/share/holdfast"),
      (["HOLDFAST_LIBRARY": "", "XDG_DATA_HOME": ""], "home/.local/share/holdfast"),
    ])
  func location(environment: [String: String], place: String) async throws {
    let folder = TemporaryFolder.current
    var variables = environment.mapValues { $0.replacingOccurrences(of: "%", with: folder) }
    variables["HOME"] = "\(folder)/home"
    for arguments in [["init"], ["import", Fixtures.path("aac.m4a")]] {
      let result = try await Command.run(
        Command.holdfast, arguments, environment: variables, workingDirectory: folder)
      #expect(result.status == 0, "\(result.errorOutput)")
    }
    #expect(try await Find.names(folder, ["-name", "holdfast.json"]) == ["\(place)/holdfast.json"])
    try await LibraryFolder(at: place).expectSound()
    let option = try await Command.run(
      Command.holdfast, ["list", "--library", "other"], environment: variables,
      workingDirectory: folder)
    #expect(option.errorOutput.contains("there is no library in other;"))
  }

  @Test(
    "Without any place for a library, one sentence says what to do", arguments: ["list", "init"])
  func nowhere(command: String) async throws {
    let result = try await Command.run(
      Command.holdfast, [command],
      environment: ["HOLDFAST_LIBRARY": "", "XDG_DATA_HOME": "", "HOME": ""])
    #expect(result.status == 1)
    #expect(
      result.errorOutput
        == "Error: nothing says where the library is: HOME is not set; "
        + "give --library DIR, or set HOME\n"
    )
  }
}
