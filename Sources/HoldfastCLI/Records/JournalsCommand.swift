import ArgumentParser
import HoldfastConsole
import HoldfastModel

struct JournalsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal", abstract: "Choose which journals the library has.",
    discussion: """
      A journal is for records of another kind, such as what you eat. A library has its tables \
      only while it is enabled.
      """,
    subcommands: [
      JournalListCommand.self, JournalEnableCommand.self, JournalDisableCommand.self,
    ])
}

struct NamedJournal: ExpressibleByArgument {
  let command: any JournalCommand.Type

  var name: String { command.journal.name }

  /// Accepts the name of a known journal, in any case.
  init?(argument: String) {
    let name = argument.lowercased()
    guard let command = KnownJournals.commands.first(where: { $0.journal.name == name }) else {
      return nil
    }
    self.command = command
  }

  static var allValueStrings: [String] { KnownJournals.commands.map { $0.journal.name } }
}
