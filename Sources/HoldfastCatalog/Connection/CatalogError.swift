import HoldfastModel

/// Why the catalog could not be opened, read or written.
package struct CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error. More kinds may be added. Match one with `catch CatalogError.Code.busy`.
  package struct Code: RawRepresentable, Hashable, Sendable, Codable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let missing = Code(rawValue: "missing")
    /// The file is not a SQLite database, or it belongs to another program.
    package static let notACatalog = Code(rawValue: "notACatalog")
    /// A newer Holdfast has changed its schema.
    package static let newer = Code(rawValue: "newer")
    /// The catalog has a journal that this program does not know, or a newer version of one.
    package static let unknownJournal = Code(rawValue: "unknownJournal")
    package static let journalNotEnabled = Code(rawValue: "journalNotEnabled")
    package static let journalNotEmpty = Code(rawValue: "journalNotEmpty")
    /// The schema is old, and the catalog was opened for reading.
    package static let needsMigration = Code(rawValue: "needsMigration")
    /// The catalog cannot be written, or was opened for reading.
    package static let readOnly = Code(rawValue: "readOnly")
    /// Another program has the catalog locked.
    package static let busy = Code(rawValue: "busy")
    package static let full = Code(rawValue: "full")
    /// The database is damaged, or another program changed its schema.
    package static let damaged = Code(rawValue: "damaged")
    package static let inputOutput = Code(rawValue: "inputOutput")
    package static let cannotOpen = Code(rawValue: "cannotOpen")
    /// A row breaks a rule of the schema and was not written.
    package static let refused = Code(rawValue: "refused")
    package static let unreadableRow = Code(rawValue: "unreadableRow")
    /// SQLite failed where it should not have.
    package static let sqlite = Code(rawValue: "sqlite")
  }

  package var code: Code
  /// The database: its path, or a name for one in memory.
  package var database: String
  /// The text that a person reads after the database's path: one clause that includes the remedy.
  package var reason: String
  /// SQLite's extended result code, if SQLite refused.
  package var resultCode: Int32?

  package init(_ code: Code, database: String, reason: String, resultCode: Int32? = nil) {
    self.code = code
    self.database = database
    self.reason = reason
    self.resultCode = resultCode
  }

  /// The text for a person: the database's path and the reason, in one sentence.
  package var description: String { "\(database.escapedForDisplay): \(reason)" }
}

extension CatalogError.Code {
  /// Lets `catch CatalogError.Code.busy` match an error of that kind.
  package static func ~= (code: CatalogError.Code, error: any Error) -> Bool {
    (error as? CatalogError)?.code == code
  }
}

extension CatalogError {
  static func missing(_ name: String) -> CatalogError {
    CatalogError(
      .missing, database: name,
      reason: "the library's catalog is missing; restore the file from a backup")
  }

  static func notAFile(_ name: String) -> CatalogError {
    CatalogError(
      .notACatalog, database: name,
      reason: "a link or a folder where the catalog's file should be; restore it from a backup")
  }

  static func notAFile(besideDatabase name: String) -> CatalogError {
    CatalogError(
      .damaged, database: name,
      reason:
        "not a regular file, and SQLite would open it together with the catalog; move it away")
  }

  static func tooLarge(_ name: String, _ size: Int64) -> CatalogError {
    CatalogError(
      .damaged, database: name,
      reason: ReadLimit.reason(size, atMost: ReadLimit.catalog) + "; restore it from a backup")
  }

  static func foreignJournal(_ name: String) -> CatalogError {
    CatalogError(
      .damaged, database: name,
      reason:
        "the journal beside the catalog is not Holdfast's, and SQLite would remove a file that it "
        + "names; restore the catalog from a backup")
  }

  /// - Parameter object: An object that the schema has but should not have, or the reverse.
  static func changedSchema(_ name: String, _ object: String) -> CatalogError {
    CatalogError(
      .damaged, database: name,
      reason: "another program changed the catalog's schema (\(object.escapedForDisplay)), which "
        + "could do harm; restore the file from a backup")
  }

  static func notACatalog(_ name: String) -> CatalogError {
    CatalogError(
      .notACatalog, database: name,
      reason: "not a catalog of Holdfast; choose another library, or restore it from a backup")
  }

  static func newer(_ name: String) -> CatalogError {
    CatalogError(
      .newer, database: name,
      reason: "a newer version of Holdfast has changed this catalog; update Holdfast to open it")
  }

  static func unknownJournal(_ name: String, _ journals: [String]) -> CatalogError {
    let shown = journals.map { "\"\($0.cut(to: 40).escapedForDisplay)\"" }.joined(separator: ", ")
    return CatalogError(
      .unknownJournal, database: name,
      reason:
        "the catalog has a journal that this program does not know (\(shown)) and could lose; "
        + "it can only be read, or copied; use a version of Holdfast that knows the journal")
  }

  static func journalNotEnabled(
    _ name: String, _ journal: String?, _ counts: String, of source: String,
    notDone consequence: String
  ) -> CatalogError {
    CatalogError(
      .journalNotEnabled, database: name,
      reason:
        "\(source) has records of \(journal.map { "the journal \"\($0)\"" } ?? "a journal") "
        + "(\(counts)), which is not enabled in this library; \(consequence)")
  }

  static func noSuchJournal(_ name: String, _ journal: String) -> CatalogError {
    CatalogError(
      .journalNotEnabled, database: name,
      reason: "there is no journal \"\(journal.cut(to: 40).escapedForDisplay)\" in this library")
  }

  static func disabledJournal(_ name: String, _ journal: String) -> CatalogError {
    CatalogError(
      .journalNotEnabled, database: name,
      reason: "the journal \"\(journal)\" is not enabled in this library")
  }

  static func journalNotEmpty(
    _ name: String, _ journal: String, _ counts: String
  ) -> CatalogError {
    CatalogError(
      .journalNotEmpty, database: name,
      reason: "the journal \"\(journal)\" holds \(counts), which would be lost; it stays enabled")
  }

  static func noSuchKind(_ name: String, _ kind: RecordKind) -> CatalogError {
    CatalogError(
      .journalNotEnabled, database: name, reason: "this library has no \(kind.name)")
  }

  static func journalStuck(_ name: String, _ journal: String, _ reason: String) -> CatalogError {
    CatalogError(
      .refused, database: name,
      reason: "the journal \"\(journal)\" cannot be brought up to date: \(reason); a program that "
        + "does not know this journal can still read the library")
  }

  static func unknownJournalInOldCatalog(_ name: String, _ journals: [String]) -> CatalogError {
    let shown = journals.map { "\"\($0.cut(to: 40).escapedForDisplay)\"" }.joined(separator: ", ")
    return CatalogError(
      .unknownJournal, database: name,
      reason: "an older version of Holdfast made this catalog, and only a program that knows its "
        + "journal (\(shown)) can bring it up to date; open it once with one that does")
  }

  static func needsMigration(_ name: String) -> CatalogError {
    CatalogError(
      .needsMigration, database: name,
      reason:
        "an older version of Holdfast made this catalog, and only a program that writes brings "
        + "it up to date")
  }

  static func openedForReading(_ name: String) -> CatalogError {
    CatalogError(
      .readOnly, database: name,
      reason: "the catalog was opened for reading only; open it for writing")
  }
}
