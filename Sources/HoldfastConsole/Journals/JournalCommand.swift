package import ArgumentParser
package import Holdfast

/// The command of a journal, such as `holdfast food`.
package protocol JournalCommand: ParsableCommand {
  /// The journal whose records it keeps.
  static var journal: Journal { get }

  /// Returns the command for records of one of the journal's kinds, without `holdfast`.
  ///
  /// - Parameters:
  ///   - verb: What it does: `list` or `edit`.
  ///   - kind: The kind.
  static func command(to verb: String, _ kind: RecordKind) -> String

  /// Returns what the journal's records come to in a period, for `holdfast stats --journal`.
  ///
  /// - Parameters:
  ///   - library: A library in which the journal is enabled.
  ///   - period: The period, which ends now.
  static func statistics(
    of library: Library, over period: StatisticsPeriod
  ) throws -> any JournalStatistics
}

/// What the records of a journal come to in a period, as JSON and as text.
package protocol JournalStatistics: Encodable {
  /// What a person reads, line by line. No line is wider than 80 columns.
  var lines: [String] { get }
}
