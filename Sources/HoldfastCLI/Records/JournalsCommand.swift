internal import ArgumentParser
internal import HoldfastConsole
internal import HoldfastModel

/// `holdfast journal`
struct JournalsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal", abstract: "Choose which journals the library has.",
    discussion: """
      A journal is for records of another kind, such as what you eat. A library has its tables only \
      while it is enabled.
      """,
    subcommands: [
      JournalListCommand.self, JournalEnableCommand.self, JournalDisableCommand.self,
    ])
}

/// A journal that was named as an argument.
struct NamedJournal: ExpressibleByArgument {
  let command: any JournalCommand.Type

  var name: String { command.journal.name }

  /// Takes the name of a known journal, in any case.
  init?(argument: String) {
    let name = argument.lowercased()
    guard let command = KnownJournals.commands.first(where: { $0.journal.name == name }) else {
      return nil
    }
    self.command = command
  }

  static var allValueStrings: [String] { KnownJournals.commands.map { $0.journal.name } }
}

/// What was done to a journal, as a line of JSON.
struct JournalOutput: Encodable {
  /// `enabled`, `disabled`, or `unchanged`.
  var event: String
  var journal: String
}
