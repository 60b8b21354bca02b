import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole

struct EraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase", abstract: "Erase everything in the library, for good.",
    discussion: """
      This deletes every recording with its files, every craving, every usage, every message of \
      your own and every record of a journal. The messages that came with the library return to \
      their first state, and journals stay enabled. Afterwards nothing that was deleted can be \
      found in the library's folder. Copies that you made elsewhere are kept.
      """)

  @Flag(help: "Confirm that you mean everything.")
  var everything = false

  @Option(
    help: ArgumentHelp(
      "Do not ask. The value is the library's UUID, which is in its holdfast.json.",
      valueName: "library-uuid"))
  var yes: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if !everything { throw ValidationError("Give --everything: the command erases nothing less.") }
    if let yes, UUID(uuidString: yes) == nil {
      throw ValidationError("--yes \(yes.escapedForDisplay): give the library's UUID.")
    }
  }

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .writing)
    if let yes {
      try library.requireUUID(UUID(uuidString: yes))
    } else {
      console.error(
        "This erases every recording and everything you logged in "
          + "\(library.path.escapedForDisplay).")
      try confirm(folder: URL(fileURLWithPath: library.path).lastPathComponent)
    }
    try library.eraseEverything()
    if console.isJSON {
      return try console.json(["event": "erased", "id": library.uuid().uuidString])
    }
    console.result("\(console.colored("erased", .green))  \(library.path.escapedForDisplay)")
  }

  /// Asks for the word `erase` and the folder's name, on one line or on two.
  private func confirm(folder: String) throws {
    let instead = "--yes LIBRARY-UUID"
    let first = try Question("Type erase to go on: ", instead: instead).answer()
    if first == "erase \(folder)" { return }
    guard first == "erase" else { throw CommandFailure.notConfirmed }
    let second = try Question(
      "Type the name of the library's folder, \(folder.escapedForDisplay): ", instead: instead
    ).answer()
    guard second == folder else { throw CommandFailure.notConfirmed }
  }
}
