/// A set of record kinds, such as a food diary.
///
/// A journal is a value of its own library: the core names none. Its tables are in the catalog of
/// those libraries in which somebody enabled it, or in every library.
public struct Journal: Sendable {
  /// The journal's name in a library, in small ASCII letters, such as `food`. It never changes.
  public let name: String
  /// The kinds of records. One to which another refers comes before it.
  public let kinds: [any JournalRecord.Type]
  /// The statements that make the tables and change them, oldest first. A migration that was once
  /// released never changes: a change needs a new one.
  ///
  /// A migration makes no view, and no trigger on a table of another journal or of the core. It is run
  /// with foreign keys off, so that it can make a table again under its name.
  public var migrations: [String] { makeMigrations() }
  /// The SHA-256 of the tables and indexes that the migrations make; `nil` if it is not known.
  ///
  /// With it, a catalog is compared with what the migrations make without running them each time.
  public let fingerprint: String?
  /// What the journal does around an import of data and around a merge, if anything.
  public let aroundImport: ImportStep?
  /// Whether its tables are in every library.
  public let isAlwaysEnabled: Bool
  /// Most commands of most libraries need no statements, and some of them are long.
  private let makeMigrations: @Sendable () -> [String]

  /// Looks at the catalog before an import, and returns what is done after it in the same transaction:
  /// records may have to follow from those that were imported.
  ///
  /// The second database is the other library's, if two libraries are merged and it has the journal.
  /// What is done after a merge follows from both as they were before and from what they have become,
  /// and from nothing else, such as the clock: both libraries must come to the same.
  public typealias ImportStep =
    @Sendable (any RecordDatabase, (any RecordDatabase)?) throws
    -> (any RecordDatabase) throws -> Void

  /// Declares a journal.
  ///
  /// - Parameters:
  ///   - name: The name in a library: small ASCII letters.
  ///   - kinds: The kinds of records. One to which another refers comes before it.
  ///   - migrations: The statements that make the tables, oldest first, in SQL. They are evaluated when
  ///     they are needed.
  ///   - fingerprint: The ``fingerprint`` of what they make.
  ///   - aroundImport: What the journal does around an import of data and around a merge.
  public init(
    _ name: String, kinds: [any JournalRecord.Type],
    migrations: @autoclosure @escaping @Sendable () -> [String], fingerprint: String? = nil,
    aroundImport: ImportStep? = nil
  ) {
    self.name = name
    self.kinds = kinds
    makeMigrations = migrations
    self.fingerprint = fingerprint
    self.aroundImport = aroundImport
    isAlwaysEnabled = false
  }

  /// Declares kinds of records whose tables are in every library.
  package init(_ name: String, inEveryLibrary kinds: [any JournalRecord.Type]) {
    self.name = name
    self.kinds = kinds
    makeMigrations = { [] }
    fingerprint = nil
    aroundImport = nil
    isAlwaysEnabled = true
  }
}

/// A record of a journal. Its row is read and written by its declaration.
///
/// Each value of the record is a column with the value's name in JSON, and each list is a
/// ``ChildTable``. Dates, UUIDs and truth values are stored as in the core: as
/// `2025-10-25 13:42:00.000` in UTC, in upper case, and as 0 or 1. Values that are `nil` are stored
/// as NULL, so a Codable conformance of the record's own must encode them with `encodeIfPresent`.
public protocol JournalRecord: DeclaredRecord, EditedRecord {
  /// Refuses a record that does not go with the others of its library, before it is added and after a
  /// person has changed it.
  ///
  /// - Throws: ``RuleError``.
  func validate(beside others: any RecordDatabase) throws
}

extension JournalRecord {
  /// Refuses nothing.
  public func validate(beside others: any RecordDatabase) throws {}
}
