import ArgumentParser
import Holdfast
import HoldfastConsole

struct JournalEnableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable", abstract: "Make a journal's tables in the library.")

  @Argument(help: "The journal's name.")
  var name: NamedJournal

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let (name, command) = (name.name, name.command)
    let isNew = try common.openLibrary(for: .writing).enableJournal(name)
    if console.isJSON {
      return try console.json(["event": isNew ? "enabled" : "unchanged", "journal": name])
    }
    let word = command.configuration.commandName ?? name
    console.result(
      isNew
        ? "\(console.colored("enabled", .green))  \(name); see holdfast \(word) --help"
        : "The journal \(name) is already enabled.")
  }
}
