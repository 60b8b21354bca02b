package import ArgumentParser
package import Holdfast

package protocol JournalCommand: ParsableCommand {
  static var journal: Journal { get }

  /// Returns the command to `list` or `edit` records of one of the journal's kinds, without
  /// `holdfast`.
  static func command(to verb: String, _ kind: RecordKind) -> String

  /// Returns the statistics of the journal's records in a period that ends now, for
  /// `holdfast stats --journal`.
  static func statistics(
    of library: Library, over period: StatisticsPeriod
  ) throws -> any JournalStatistics
}

/// The statistics of a journal's records in a period, as JSON and as text.
package protocol JournalStatistics: Encodable {
  /// The text, line by line. No line is wider than 80 columns.
  var lines: [String] { get }
}
