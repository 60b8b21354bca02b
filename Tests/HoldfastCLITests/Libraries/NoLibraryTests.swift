import Foundation
import HoldfastTestSupport
import Testing

/// An empty mount point was taken for an empty library: the next command made a new one there, under
/// the disk that was to be mounted, and `--move` put recordings into it.
@Suite("Where there is no library", .temporaryFolder)
struct NoLibraryTests {
  /// A place for a library that is none.
  enum Place: CaseIterable {
    case missing, parentMissing, empty, fullOfOtherThings, file

    func make() throws {
      switch self {
      case .missing: try makeFolder("usb")
      case .parentMissing: break
      case .empty: try makeFolder("usb/rec")
      case .fullOfOtherThings: try makeFolder("usb/rec", holding: ["notes.txt"])
      case .file:
        try makeFolder("usb")
        try copyFixture("notes.txt", to: "usb/rec")
      }
    }
  }

  private static let id = "12345678-0000-4000-8000-000000000000"
  /// Every command that needs a library.
  private static let commands =
    [
      ["import", "clip.m4a"], ["import", "--dry-run", "clip.m4a"],
      ["import", "--move", "clip.m4a"],
      ["list"], ["list", "--json"], ["show", id], ["play", id], ["play", "--count-only", id],
      ["edit", id, "--title", "x"], ["delete", id], ["thumbnails"], ["stats"], ["verify"],
      ["verify", "--deep"], ["verify", "--repair"], ["verify", "--restore", "x"],
      ["export", "--format", "json"], ["export", "--format", "csv", "--output", "tables"],
      ["import-data", "data.json"], ["import-data", "--dry-run", "data.json"],
      ["erase", "--everything"], ["erase", "--everything", "--yes", id], ["doctor", "--privacy"],
      ["craving", "log", "--intensity", "5"], ["craving", "list"], ["craving", "show", id],
      ["craving", "edit", id, "--notes", "x"], ["craving", "link", id, id],
      ["craving", "unlink", id],
      ["craving", "delete", id], ["usage", "log", "--method", "Dab", "--amount", "1"],
      ["usage", "list"], ["usage", "show", id], ["usage", "edit", id, "--amount", "2"],
      ["usage", "delete", id], ["message", "next"], ["message", "list"], ["message", "add", "x"],
      ["message", "edit", id, "--content", "x"], ["message", "hide", id],
      ["message", "unhide", id],
      ["message", "delete", id], ["journal", "list"], ["journal", "enable", "food"],
      ["journal", "disable", "food"], ["journal", "disable", "food", "--erase"],
      ["backup", "usb"], ["backup", "make", "usb"], ["backup", "make", "--dry-run", "usb"],
    ] + food + habits + faith
  private static let food: [[String]] = [
    ["log", "--name", "x", "--quantity", "1", "--unit", "g", "--ingredient", "x"], ["list"],
    ["show", id], ["edit", id, "--name", "x"], ["link", id, id], ["unlink", id], ["detach", id],
    ["attach", id], ["delete", id], ["day"], ["days"], ["day-delete", "2025-11-03"],
    [
      "ingredient", "add", "x", "--name", "x", "--category", "grain", "--calories", "0",
      "--protein", "0", "--carbohydrates", "0", "--fat", "0",
    ], ["ingredient", "search", "x"], ["ingredient", "list"],
    ["ingredient", "show", "x"], ["ingredient", "edit", "x", "--name", "y"],
    ["ingredient", "alias", "x", "y"], ["ingredient", "tag", "x", "y"],
    ["ingredient", "serving", "x", "--unit", "slice", "--grams", "28"],
    ["ingredient", "verify", "x"], ["ingredient", "delete", "x"],
  ].map { (command: [String]) -> [String] in ["food"] + command }
  private static let habits: [[String]] = [
    ["add", "x"], ["list"], ["show", "x"], ["edit", "x", "--goal", "2"], ["end", "x"],
    ["link", "x", id], ["unlink", "x"], ["delete", "x"], ["done", "x"], ["undo", "x"],
    ["set", "x", "1"], ["checkin", "x"], ["difficulty", "x", "3"], ["clear", "x"], ["days"],
    ["today"], ["week"], ["streak"], ["level"], ["xp", "list"], ["achievements", "list"],
    ["achievements", "link", id, id], ["achievements", "unlink", id], ["struggling"],
    ["remind", "add", "x", "7:30"], ["remind", "list"], ["remind", "edit", id, "--off"],
    ["remind", "delete", id], ["import-old", "data.json"],
  ].map { (command: [String]) -> [String] in ["habit"] + command }
  private static let faith: [[String]] =
    [
      ["entry", "write", "--title", "x"], ["entry", "edit", id, "--title", "x"],
      ["entry", "tag", id, "x"], ["entry", "tags"], ["entry", "prompt"],
      ["prayer", "add", "--title", "x"], ["prayer", "answer", id], ["prayer", "reopen", id],
      ["prayer", "archive", id], ["prayer", "unarchive", id], ["prayer", "answers"],
      ["prayer", "edit", id, "--title", "x"], ["mood", "log", "Sad"], ["mood", "count"],
      ["mood", "edit", id, "--mood", "Sad"], ["prompt", "add", "x"], ["prompt", "next"],
      ["prompt", "use", id], ["prompt", "edit", id, "--prompt", "x"],
      ["verse", "add", "--reference", "x", "--text", "y"], ["verse", "import", "verses.json"],
      ["verse", "today"], ["verse", "edit", id, "--text", "x"], ["verse", "bookmark", id],
      ["verse", "unbookmark", id], ["bookmark", "add", "--reference", "x", "--text", "y"],
      ["bookmark", "edit", id, "--text", "x"], ["devotional", "add", "--title", "x"],
      ["devotional", "done", id], ["devotional", "undo", id],
      ["devotional", "edit", id, "--title", "x"], ["study", "add", "--title", "x"],
      ["study", "edit", id, "--title", "x"], ["plan", "add", "--title", "x"],
      ["session", "add", "--title", "x", "--host", "y"], ["session", "join", id, "x"],
      ["session", "end", id], ["session", "say", id, "x", "--user", "y"],
      ["session", "invite", id, "x"], ["session", "accept", id], ["session", "decline", id],
      ["session", "remove", id], ["session", "edit", id, "--title", "x"],
      ["subscription", "add", "x"], ["subscription", "edit", id, "--plan", "free"],
      ["profile", "set", "--name", "x"], ["profile", "show"], ["profile", "delete"],
      ["plan", "done", id], ["plan", "undo", id], ["plan", "edit", id, "--title", "x"],
    ].map { (command: [String]) -> [String] in ["faith"] + command }
    + [
      "entry", "prayer", "mood", "prompt", "verse", "bookmark", "devotional", "study", "plan",
      "session",
      "subscription",
    ]
    .flatMap { [["faith", $0, "list"], ["faith", $0, "show", id], ["faith", $0, "delete", id]] }
    + ["entry", "prayer", "mood", "devotional", "session"]
    .flatMap { [["faith", $0, "link", id, id], ["faith", $0, "unlink", id]] }
  private static let commandsWithoutLibrary = [
    ["init"], ["probe"], ["doctor"], ["backup", "list"], ["backup", "verify"], ["restore"],
  ]

  private func run(_ arguments: [String]) async throws -> CommandResult {
    try await Command.run(
      Command.holdfast, arguments, environment: ["HOLDFAST_LIBRARY": "usb/rec"],
      workingDirectory: TemporaryFolder.current)
  }

  @Test("every command but init says so, and changes nothing")
  func commands() async throws { try await expectRefusals(of: Self.commands, at: .empty) }

  @Test("Commands report a missing library, whatever is in its place", arguments: Place.allCases)
  func places(place: Place) async throws {
    let commands = [["list"], ["import", "clip.m4a"], ["craving", "log", "--intensity", "5"]]
    try await expectRefusals(of: commands, at: place)
  }

  private func expectRefusals(of commands: [[String]], at place: Place) async throws {
    try place.make()
    try copyFixture("aac.m4a", to: "clip.m4a")
    try Data(#"{"format":"holdfast","schemaVersion":1}"#.utf8)
      .write(to: URL(filePath: temporary("data.json")))
    let before = try await Find.snapshot(TemporaryFolder.current)
    for command in commands {
      let result = try await run(command)
      #expect((result.status, result.output) == (1, ""), "\(command)")
      #expect(
        result.errorOutput == """
          Error: there is no library in usb/rec; is its disk mounted? holdfast init usb/rec makes a \
          new one

          """, "\(command)")
    }
    #expect(try await Find.snapshot(TemporaryFolder.current) == before)
  }

  @Test("what needs no library works, and makes none")
  func unneeded() async throws {
    let before = try await Find.snapshot(TemporaryFolder.current)
    #expect(try await run(["probe", Fixtures.path("aac.m4a")]).status == 0)
    #expect(try await run(["doctor"]).errorOutput.isEmpty)
    #expect(try await run(["import", "--help"]).status == 0)
    #expect(try await Find.snapshot(TemporaryFolder.current) == before)
  }

  @Test("No command is left out here")
  func commandsAreAll() throws {
    let pages = try HelpPage.all()
    let tried = Self.commands + Self.commandsWithoutLibrary
    for page in pages where page.subcommands.isEmpty {
      #expect(tried.contains { $0.starts(with: page.command) }, "\(page.command)")
    }
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
        == "Error: nothing says where the library is: HOME is not set; give --library DIR, or set HOME\n"
    )
  }
}
