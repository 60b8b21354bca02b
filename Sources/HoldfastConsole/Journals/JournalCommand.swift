package import ArgumentParser
package import HoldfastModel

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
}
