import GRDB
import HoldfastModel

/// The kinds of records that a program knows: the core's, and the journals'.
struct Registry: Sendable {
  /// The kinds that every catalog has, whatever journals a program knows.
  static let coreKinds: [any StoredKind] = [KindOfRecording(), KindOfRecord<Transcript>()]

  /// The tables of records whose schema is the core's, and which a journal that is always enabled
  /// declares.
  static let recordTables = ["craving", "cravingTrigger", "usage", "usageTrigger", "message"]

  /// The tables of data for this computer alone. No export and no merge includes them, and erasing
  /// empties them.
  static let local = ["replica", "seenSource"]

  /// The tables that every catalog has, in small letters: the kinds' tables, the library's own,
  /// this computer's, and the list of migrations.
  static let coreTables = Set(
    (coreKinds.flatMap(\.tables) + recordTables + local
      + ["library", "wordGeneration", "appVersion", "grdb_migrations"])
      .map { $0.lowercased() })

  let journals: [Journal]
  /// Whether a journal has a kind of photo. It makes the declarations of all kinds.
  var hasPhotos: Bool { journals.flatMap(\.storedKinds).contains(where: \.isPhoto) }

  /// Returns the kinds that a catalog has, in the order of an export.
  ///
  /// - Throws: `HoldfastError` if the catalog has a journal that the program does not know, whose
  ///   records would be left out.
  func kinds(in db: Database, name: String) throws -> [any StoredKind] {
    let state = try JournalState(of: db, journals)
    if let error = state.refusal(of: name) { throw error }
    let unknown = Set(Self.recordTables).subtracting(state.kinds.flatMap(\.tables))
    guard unknown.isEmpty else { throw HoldfastError.unknownJournal(name, unknown.sorted()) }
    return state.kinds
  }
}

extension Journal {
  var storedKinds: [any StoredKind] { kinds.map { Self.stored($0) } }

  /// The tables of all kinds. Tables that refer to others come first.
  var tables: [String] { storedKinds.reversed().flatMap(\.tables) }

  private static func stored<Value: JournalRecord>(_ type: Value.Type) -> any StoredKind {
    KindOfRecord<Value>()
  }
}

/// Which journals are enabled in a catalog.
///
/// A journal is enabled when one of its migrations has been run. Its migrations are listed together
/// with the core's, as `food.1`, `food.2`. So a Holdfast that knows no journals treats the catalog
/// as a newer Holdfast's, and leaves it alone.
struct JournalState {
  /// The journals that are enabled and known to the program.
  private(set) var enabled: [Journal] = []
  /// The migrations that the enabled journals lack.
  private(set) var missing: [(journal: Journal, identifier: String, sql: String)] = []
  /// The names of journals that the program does not know, or knows in an older version.
  private(set) var unknown: [String]
  /// Whether a newer Holdfast has changed the core's tables.
  let isCoreNewer: Bool

  /// The kinds that the catalog has and the program knows, in the order of an export.
  let kinds: [any StoredKind]

  init(of db: Database, _ journals: [Journal]) throws {
    var applied = try Schema.migrator.appliedIdentifiers(db)
    applied.subtract(Schema.migrator.migrations)
    for journal in journals where !journal.isAlwaysEnabled {
      let own = applied.filter { $0.hasPrefix("\(journal.name).") }
      // The tables of a version that the program does not know are unknown, too.
      guard !own.isEmpty, own.isSubset(of: journal.identifiers) else { continue }
      enabled.append(journal)
      for (identifier, sql) in zip(journal.identifiers, journal.migrations)
      where !own.contains(identifier) { missing.append((journal, identifier, sql)) }
      applied.subtract(own)
    }
    let others = applied.map { ($0, $0.wholeMatch(of: /([a-z]+)\.[0-9]+/)) }
    // GRDB does not see tables that another process has made since GRDB read the schema.
    if try !enabled.allSatisfy({ try $0.tables.first.map { try db.tableExists($0) } ?? true }) {
      db.clearSchemaCache()
    }
    isCoreNewer = others.contains { $0.1 == nil }
    kinds =
      Registry.coreKinds
      + (journals.filter(\.isAlwaysEnabled) + enabled).flatMap(\.storedKinds)
    unknown = Set(others.compactMap { $0.1.map { String($0.1) } }).sorted()
  }

  /// Returns the error of a program that would lose data of unknown journals; `nil` if it knows
  /// all.
  func refusal(of name: String) -> HoldfastError? {
    unknown.isEmpty ? nil : .unknownJournal(name, unknown)
  }
}

extension Journal {
  var identifiers: [String] { migrations.indices.map { "\(name).\($0 + 1)" } }
}
