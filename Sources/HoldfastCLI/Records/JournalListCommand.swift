import ArgumentParser
import Holdfast
import HoldfastConsole

struct JournalListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the journals, with how many records each one has.")

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading)
    let enabled = try library.enabledJournals()
    let journals = try KnownJournals.commands.map { command in
      let name = command.journal.name
      return ListedJournal(
        name: name, isEnabled: enabled.contains(name), about: command.configuration.abstract,
        counts: try library.journalCounts(name))
    }
    if console.isJSON { return try console.json(journals) }
    var table = TextTable([
      .init(heading: "JOURNAL"), .init(heading: "STATE"), .init(heading: "HOLDS"),
    ])
    for journal in journals {
      table.add([journal.name, journal.isEnabled ? "enabled" : "not enabled", journal.contents])
    }
    console.result(table)
  }
}

private struct ListedJournal: Encodable {
  var name: String
  var isEnabled: Bool
  var about: String
  /// The number of its records of each kind; empty if it is not enabled.
  var counts: [(kind: RecordKind, count: Int)]

  private enum CodingKeys: String, CodingKey { case name, isEnabled, records }

  /// Its records, or its purpose if it is not enabled.
  var contents: String {
    isEnabled ? counts.map { $0.kind.text($0.count) }.joined(separator: ", ") : about
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(isEnabled, forKey: .isEnabled)
    if isEnabled {
      try container.encode(
        Dictionary(uniqueKeysWithValues: counts.map { ($0.kind.name, $0.count) }),
        forKey: .records)
    }
  }
}
