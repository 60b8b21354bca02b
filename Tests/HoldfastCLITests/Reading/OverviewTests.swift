import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast without a subcommand", .temporaryFolder)
struct OverviewTests {
  /// Runs `holdfast` alone on a terminal. A terminal's lines also end with a carriage return.
  private func overview(of library: String) async throws -> [Substring] {
    try await Command.output(
      of: "script", ["-qec", "stty columns 100; \(try Command.holdfast)", "/dev/null"],
      environment: ["HOLDFAST_LIBRARY": library]
    ).output.split(whereSeparator: \.isNewline)
  }

  @Test("On a terminal it shows what to do next: make a library, import, play")
  func next() async throws {
    let path = temporary("library")
    let none = try await overview(of: path)
    #expect(none.first == "There is no library in \(path).")
    #expect(none.contains { $0.contains("holdfast init makes one") })
    #expect(!FileManager.default.fileExists(atPath: path))

    let library = LibraryFolder()
    let empty = try await overview(of: path)
    #expect(empty.first == "The library in \(path) has no recordings yet.")
    #expect(empty.contains { $0.hasPrefix("holdfast import FILE") })

    try await library.importing("aac.m4a", "voice.wav", "portrait.mov", "hevc8.mp4")
    let lines = try await overview(of: path)
    #expect(lines.first == "The library in \(path) has 4 recordings. The last ones are:")
    // A table of three.
    try #require(lines.count == 7, "\(lines)")
    let list = try await library.holdfast("list", "--limit", "3").lines
    #expect(lines[2...4].map { $0.prefix(8) } == list[1...3].map { $0.prefix(8) })
    #expect(lines[5].contains("holdfast play ID"))
  }

  @Test("It says what is due, with the command that does it")
  func due() async throws {
    let library = LibraryFolder()
    try await library.importing("aac.m4a")
    let backups = Backups()
    // Nine days ago, by the program's clock. See scripts/known-names.c.
    let clock = temporary("clock.so")
    let source = Repository.root + "/scripts/known-names.c"
    _ = try await Command.output(of: "gcc", ["-shared", "-fPIC", "-o", clock, source])
    let then = Int(Date(timeIntervalSinceNow: -9.5 * 86_400).timeIntervalSince1970)
    let made = try await Command.run(
      Command.holdfast, library.command(["backup", backups.path]),
      environment: [
        "LD_PRELOAD": clock, "KNOWN_BYTES": "/dev/urandom", "KNOWN_TIME": "\(then)",
      ])
    try #require(made.status == 0, "\(made.errorOutput)")
    let due = try await overview(of: library.path).filter { $0.hasPrefix("Due: ") }
    #expect(
      due == [
        "Due: the last backup in \(backups.path) is 9 days old; "
          + "holdfast backup \(backups.path) makes another."
      ])
    _ = try await library.holdfast("backup", backups.path)
    #expect(try await overview(of: library.path).allSatisfy { !$0.hasPrefix("Due: ") })
  }

  @Test("Elsewhere it prints the help")
  func help() async throws {
    let result = try await Command.run(try Command.holdfast)
    #expect(result.status == 0)
    #expect(result.output.contains("SUBCOMMANDS:") && result.output.contains("OVERVIEW: A private"))
  }

  @Test(
    "For a mistyped command, it suggests the closest match",
    arguments: [
      (["lst"], "'lst'. Did you mean 'list'?"),
      (["craving", "lgo"], "'lgo'. Did you mean 'log'?"),
      (["bakcup", "usb"], "'bakcup', 'usb'. Did you mean 'backup'?"),
      (["imprt", "x.mov"], "Did you mean 'import'?"),
    ])
  func mistyped(arguments: [String], sentence: String) async throws {
    let result = try await Command.run(try Command.holdfast, arguments)
    #expect(result.status == 64)
    #expect(result.errorOutput.contains(sentence), "\(result.errorOutput)")
  }

  @Test(
    "A word that resembles no command gets no suggestion", arguments: ["x", "zebra", "--lst", "42"])
  func unlike(word: String) async throws {
    let result = try await Command.run(try Command.holdfast, [word])
    #expect(result.status == 64)
    #expect(!result.errorOutput.contains("Did you mean"), "\(result.errorOutput)")
  }
}

@Suite("Completion of ids", .temporaryFolder)
struct IDCompletionTests {
  @Test(
    "Shells offer the recordings, newest first, with titles if they show descriptions",
    arguments: [("bash", ""), ("fish", "\tWhy I stopped"), ("zsh", ":Why I stopped")])
  func ids(shell: String, ending: String) async throws {
    let library = LibraryFolder()
    try await library.importing("voice.wav", options: ["--title", "Why I stopped"])
    let id = try #require(try await library.column("SELECT substr(id, 1, 8) FROM recording").first)
    func offered(_ prefix: String) async throws -> [String] {
      try await Command.output(
        of: Command.holdfast,
        [
          "---completion", "show", "--", "positional@0", "2", "\(prefix.count)", "holdfast", "show",
          prefix,
        ],
        environment: ["HOLDFAST_LIBRARY": library.path, "SAP_SHELL": shell]
      ).lines.filter { $0.contains { $0 != " " } }
    }
    #expect(try await offered("") == [id + ending])
    #expect(try await offered(String(id.prefix(3)).lowercased()) == [id + ending])
    #expect(try await offered("zzz").isEmpty)
  }
}
