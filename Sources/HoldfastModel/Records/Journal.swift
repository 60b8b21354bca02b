/// A set of record kinds, such as a food diary.
///
/// A journal is a value of its own library: the core names none. Its tables are in every library,
/// or in those where a user enabled it.
public struct Journal: Sendable {
  /// The journal's name in a library, in small ASCII letters, such as `food`. It never changes.
  public let name: String
  /// The kinds of records. A kind comes after every kind that it refers to.
  public let kinds: [any JournalRecord.Type]
  /// The statements that make the tables and change them, oldest first. A released migration never
  /// changes: a change needs a new one.
  ///
  /// A migration makes no view, and no trigger on a table of another journal or of the core. It
  /// runs with foreign keys off, so that it can recreate a table under its name.
  public var migrations: [String] { makeMigrations() }
  /// The SHA-256 of the tables and indexes that the migrations make; `nil` if it is not known.
  ///
  /// With it, a catalog is checked without running the migrations each time.
  public let fingerprint: String?
  /// The journal's step around an import of data and around a merge, if any.
  public let aroundImport: ImportStep?
  /// Whether records follow from others, such as points for what was done. Then only the journal's
  /// own functions delete records.
  public let derivesRecords: Bool
  /// Whether the tables are in every library.
  public private(set) var isAlwaysEnabled = false
  /// The app that keeps the same records, whose data can be imported; `nil` for none.
  public let app: AppModel?
  /// A closure, because most commands need no statements, and some statements are long.
  private let makeMigrations: @Sendable () -> [String]

  /// Reads the catalog before an import, and returns a step for the end of the same transaction:
  /// imported records may lead to others.
  ///
  /// If two libraries are merged and the other one has the journal, the second database is the
  /// other library's. The step after a merge may depend only on both catalogs before the merge and
  /// on their result, and not, for example, on the clock: both libraries must get the same result.
  public typealias ImportStep =
    @Sendable (any RecordDatabase, (any RecordDatabase)?) throws
    -> (any RecordDatabase) throws -> Void

  /// Declares a journal. The migrations are evaluated when needed.
  public init(
    _ name: String, kinds: [any JournalRecord.Type],
    migrations: @autoclosure @escaping @Sendable () -> [String], fingerprint: String? = nil,
    aroundImport: ImportStep? = nil, derivesRecords: Bool = false, app: AppModel? = nil
  ) {
    self.name = name
    self.kinds = kinds
    makeMigrations = migrations
    self.fingerprint = fingerprint
    self.aroundImport = aroundImport
    self.derivesRecords = derivesRecords
    self.app = app
  }

  /// Declares kinds of records whose tables are in every library.
  package init(
    _ name: String, inEveryLibrary kinds: [any JournalRecord.Type], app: AppModel? = nil
  ) {
    self.init(name, kinds: kinds, migrations: [], app: app)
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
  /// Refuses a record that conflicts with others in its library, before it is added and after a
  /// person has changed it.
  ///
  /// - Throws: ``RuleError``.
  func validate(beside others: any RecordDatabase) throws
}

extension JournalRecord {
  /// By default, refuses nothing.
  public func validate(beside others: any RecordDatabase) throws {}
}
