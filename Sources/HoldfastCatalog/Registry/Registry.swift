internal import GRDB
internal import HoldfastModel

/// The kinds of records that a program knows: those of the core, and those of journals.
struct Registry: Sendable {
  /// The kinds that every library has, in the order of an export. A kind that refers to another
  /// comes after it.
  static let core: [any StoredKind] = [
    KindOfRecording(), KindOfRow<CravingRow>(), KindOfRow<UsageRow>(), KindOfRow<MessageRow>(),
  ]

  /// The tables of what holds on this computer alone. No export and no merge takes it, and erasing
  /// empties them.
  static let local = ["replica", "seenSource"]

  /// The tables that every catalog has, in small letters: those of the kinds, the library's own, what
  /// holds on this computer alone, and the list of migrations.
  static let coreTables = Set(
    (core.flatMap(\.tables) + local + ["library", "grdb_migrations"]).map { $0.lowercased() })

  /// The journals that the program knows.
  let journals: [Journal]

  /// Returns the kinds that a catalog has, in the order of an export.
  ///
  /// - Throws: ``CatalogError`` if the catalog has a journal that the program does not know: whoever
  ///   asks for all kinds would leave its records out.
  func kinds(in db: Database, name: String) throws -> [any StoredKind] {
    let state = try JournalState(of: db, journals)
    if let error = state.refusal(of: name) { throw error }
    return Self.core + state.enabled.flatMap(\.storedKinds)
  }
}

extension Journal {
  /// The kinds with the types of their rows.
  var storedKinds: [any StoredKind] { kinds.map { Self.stored($0) } }

  /// The tables of all kinds, those that refer to others first.
  var tables: [String] { storedKinds.reversed().flatMap(\.tables) }

  private static func stored<Value: JournalRecord>(_ type: Value.Type) -> any StoredKind {
    KindOfRow<JournalRow<Value>>()
  }
}

/// Which journals are enabled in a catalog.
///
/// A journal is enabled when one of its migrations has been run. Its migrations are listed together
/// with those of the core, as `food.1`, `food.2`. So a Holdfast that knows no journals takes the
/// catalog for one of a newer Holdfast, and leaves it alone.
struct JournalState {
  /// The journals that are enabled and known to the program.
  private(set) var enabled: [Journal] = []
  /// The migrations that the enabled journals lack.
  private(set) var missing: [(journal: Journal, identifier: String, sql: String)] = []
  /// The names of journals that the program does not know, or of which it knows an older version.
  private(set) var unknown: [String]
  /// Whether a newer Holdfast has changed the core's tables.
  let isCoreNewer: Bool

  init(of db: Database, _ journals: [Journal]) throws {
    var applied = try Schema.migrator.appliedIdentifiers(db)
    applied.subtract(Schema.migrator.migrations)
    for journal in journals {
      let own = applied.filter { $0.hasPrefix("\(journal.name).") }
      // Of a version that the program does not know, it does not know the tables.
      guard !own.isEmpty, own.isSubset(of: journal.identifiers) else { continue }
      enabled.append(journal)
      for (identifier, sql) in zip(journal.identifiers, journal.migrations)
      where !own.contains(identifier) { missing.append((journal, identifier, sql)) }
      applied.subtract(own)
    }
    let others = applied.map { ($0, $0.wholeMatch(of: /([a-z]+)\.[0-9]+/)) }
    isCoreNewer = others.contains { $0.1 == nil }
    unknown = Set(others.compactMap { $0.1.map { String($0.1) } }).sorted()
  }

  /// Returns the error of whoever would lose what the program does not know; `nil` if it knows all.
  func refusal(of name: String) -> CatalogError? {
    unknown.isEmpty ? nil : .unknownJournal(name, unknown)
  }
}

extension Journal {
  /// The names of the migrations in a catalog.
  var identifiers: [String] { migrations.indices.map { "\(name).\($0 + 1)" } }
}
