import Foundation
import HoldfastTestSupport
import Testing

/// Shared parts of the tests of commands without a library.
enum NoLibrary {
  /// A path without a library.
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

  /// The id of no record.
  static let id = "12345678-0000-4000-8000-000000000000"

  /// Runs `holdfast` with the library `usb/rec`.
  static func run(_ arguments: [String]) async throws -> CommandResult {
    try await Command.run(
      Command.holdfast, arguments, environment: ["HOLDFAST_LIBRARY": "usb/rec"],
      workingDirectory: TemporaryFolder.current)
  }

  /// Expects that commands that need a library say that there is none, and change nothing.
  static func expectRefusals(of commands: [[String]], at place: Place) async throws {
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
          Error: there is no library in usb/rec; is its disk mounted? holdfast init usb/rec makes \
          a new one

          """, "\(command)")
    }
    #expect(try await Find.snapshot(TemporaryFolder.current) == before)
  }

  /// Expects that each of these help pages belongs to one of the commands, or to a group.
  static func expectComplete(_ commands: [[String]], among pages: [HelpPage]) throws {
    try #require(!pages.isEmpty)
    for page in pages where page.subcommands.isEmpty {
      #expect(commands.contains { $0.starts(with: page.command) }, "\(page.command)")
    }
  }
}
