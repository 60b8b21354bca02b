package import HoldfastModel

extension HoldfastError {
  /// Makes the error of a database: its path, or a name for one in memory.
  package init(
    _ code: Code, database: String, operation: String? = "open the catalog", reason: String
  ) {
    self.init(code, reason, operation: operation, of: database, in: .catalog)
  }
}

extension HoldfastError {
  static func missing(_ name: String) -> HoldfastError {
    HoldfastError(.missing, database: name, reason: "the library's catalog is missing")
  }

  static func notAFile(_ name: String) -> HoldfastError {
    HoldfastError(
      .notACatalog, database: name,
      reason: "a link, folder or special file where the catalog's file should be")
  }

  static func notAFile(besideDatabase name: String) -> HoldfastError {
    HoldfastError(
      .damaged, database: name, operation: "open beside the catalog",
      reason: "not a regular file, and SQLite would open it together with the catalog")
  }

  static func tooLarge(_ name: String, _ size: Int64) -> HoldfastError {
    HoldfastError(
      .damaged, database: name, reason: ReadLimit.reason(size, atMost: ReadLimit.catalog))
  }

  static func foreignJournal(_ name: String) -> HoldfastError {
    HoldfastError(
      .damaged, database: name,
      reason:
        "the journal beside the catalog is not Holdfast's, and SQLite would remove a file that it "
        + "names")
  }

  /// - Parameter object: An object that the schema has but should not have, or the reverse.
  static func changedSchema(_ name: String, _ object: String) -> HoldfastError {
    HoldfastError(
      .damaged, database: name,
      reason: "another program changed the catalog's schema (\(object.escapedForDisplay)), which "
        + "could do harm")
  }

  static func notACatalog(_ name: String) -> HoldfastError {
    HoldfastError(
      .notACatalog, database: name, operation: "read the schema",
      reason: "not a catalog of Holdfast")
  }

  static func newer(_ name: String) -> HoldfastError {
    HoldfastError(
      .newer, database: name, reason: "a newer version of Holdfast has changed this catalog")
  }

  static func unknownJournal(_ name: String, _ journals: [String]) -> HoldfastError {
    let shown = journals.map { "\"\($0.cut(to: 40).escapedForDisplay)\"" }.joined(separator: ", ")
    return HoldfastError(
      .unknownJournal, database: name,
      reason:
        "the catalog has a journal that this program does not know (\(shown)) and could lose; "
        + "it can only be read, or copied")
  }

  static func journalNotEnabled(
    database name: String, journal: String?, counts: String, of source: String,
    notDone consequence: String
  ) -> HoldfastError {
    HoldfastError(
      .journalNotEnabled, database: name,
      reason:
        "\(source) has records of \(journal.map { "the journal \"\($0)\"" } ?? "a journal") "
        + "(\(counts)), which is not enabled in this library; \(consequence)")
  }

  static func noSuchJournal(_ name: String, _ journal: String) -> HoldfastError {
    HoldfastError(
      .journalNotEnabled, database: name, operation: "find the journal",
      reason: "this library has no journal \"\(journal.cut(to: 40).escapedForDisplay)\"")
  }

  static func disabledJournal(_ name: String, _ journal: String) -> HoldfastError {
    HoldfastError(
      .journalNotEnabled, database: name,
      reason: "the journal \"\(journal)\" is not enabled in this library")
  }

  static func journalNotEmpty(
    database name: String, journal: String, counts: String
  ) -> HoldfastError {
    HoldfastError(
      .journalNotEmpty, database: name,
      reason: "the journal \"\(journal)\" holds \(counts), which would be lost; it stays enabled")
  }

  static func noSuchKind(_ name: String, _ kind: RecordKind) -> HoldfastError {
    HoldfastError(
      .journalNotEnabled, database: name, operation: "find the journal",
      reason: "this library has no \(kind.name)")
  }

  static func journalStuck(
    database name: String, journal: String, reason: String
  ) -> HoldfastError {
    HoldfastError(
      .refused, database: name,
      reason: "the journal \"\(journal)\" cannot be brought up to date: \(reason); a program that "
        + "does not know this journal can still read the library")
  }

  static func unknownJournalInOldCatalog(_ name: String, _ journals: [String]) -> HoldfastError {
    let shown = journals.map { "\"\($0.cut(to: 40).escapedForDisplay)\"" }.joined(separator: ", ")
    return HoldfastError(
      .unknownJournal, database: name, operation: "migrate the catalog",
      reason: "an older version of Holdfast made this catalog, and only a program that knows its "
        + "journal (\(shown)) can bring it up to date")
  }

  static func needsMigration(_ name: String) -> HoldfastError {
    HoldfastError(
      .needsMigration, database: name,
      reason:
        "an older version of Holdfast made this catalog, and only a program that writes brings "
        + "it up to date")
  }

  static func openedForReading(_ name: String) -> HoldfastError {
    HoldfastError(.readOnly, database: name, reason: "the catalog was opened for reading only")
  }
}
