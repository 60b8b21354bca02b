import GRDB
package import HoldfastModel

/// The journals of a catalog. Their tables are in it only while they are enabled.
package struct JournalTable: CatalogPart {
  let catalog: Catalog

  package var known: [Journal] { registry.journals }

  /// Returns the names of the enabled journals that the program knows, in the program's order.
  package func enabled() throws(HoldfastError) -> [String] {
    try read { db in try JournalState(of: db, registry.journals).enabled.map(\.name) }
  }

  /// Returns the names of the enabled journals that the program does not know, or knows in an older
  /// version. While there are any, the catalog can only be read.
  package func unknown() throws(HoldfastError) -> [String] {
    try read { db in try JournalState(of: db, registry.journals).unknown }
  }

  /// Returns how many records of each kind a journal has; none if it is not enabled.
  package func counts(
    of name: String
  ) throws(HoldfastError) -> [(kind: RecordKind, count: Int)] {
    try catalog.readSnapshot { db in
      let journal = try JournalState(of: db, registry.journals).enabled.first { $0.name == name }
      return try journal?.storedKinds.map { (kind: $0.kind, count: try $0.count(db)) } ?? []
    }
  }

  /// Makes the tables of a journal, in one transaction.
  ///
  /// The tables must match the declarations of the journal's kinds.
  ///
  /// - Returns: Whether the journal was not enabled before.
  package func enable(_ name: String) throws(HoldfastError) -> Bool {
    guard let journal = registry.journals.first(where: { $0.name == name && !$0.isAlwaysEnabled })
    else {
      throw .noSuchJournal(self.name, name)
    }
    return try write { db in
      let state = try JournalState(of: db, registry.journals)
      if let refusal = state.refusal(of: self.name) { throw refusal }
      guard state.enabled.allSatisfy({ $0.name != name }) else { return false }
      try JournalCheck(journal: journal, journals: registry.journals, db: db).checkNames()
      for (identifier, sql) in zip(journal.identifiers, journal.migrations) {
        try db.run(sql, as: identifier)
      }
      try JournalCheck(journal: journal, journals: registry.journals, db: db).run()
      return true
    }
  }

  /// Drops the tables of a journal, in one transaction.
  ///
  /// Its contents can be found in the file until the catalog is compacted.
  ///
  /// - Parameter isErasing: Whether to drop tables that hold records.
  /// - Returns: Whether the journal was enabled.
  /// - Throws: `HoldfastError`, with ``HoldfastError/Code/journalNotEmpty`` when the journal has
  ///   records. Nothing is then changed.
  package func disable(_ name: String, erasing isErasing: Bool) throws(HoldfastError) -> Bool {
    guard registry.journals.contains(where: { $0.name == name && !$0.isAlwaysEnabled }) else {
      throw .noSuchJournal(self.name, name)
    }
    return try write { db in
      let state = try JournalState(of: db, registry.journals)
      if let refusal = state.refusal(of: self.name) { throw refusal }
      guard let journal = state.enabled.first(where: { $0.name == name }) else { return false }
      let counts = try journal.storedKinds.map { ($0.kind, try $0.count(db)) }.filter { $0.1 > 0 }
      guard isErasing || counts.isEmpty else {
        throw HoldfastError.journalNotEmpty(
          database: self.name, journal: name,
          counts: counts.map { $0.text($1) }.joined(separator: ", "))
      }
      for table in journal.tables { try db.execute(sql: "DROP TABLE \(table)") }
      for kind in journal.storedKinds {
        try db.execute(
          sql: "DELETE FROM appVersion WHERE kind = ?", arguments: [kind.kind.name])
      }
      for identifier in journal.identifiers {
        try db.execute(
          sql: "DELETE FROM grdb_migrations WHERE identifier = ?", arguments: [identifier])
      }
      try db.setCompactionDue()
      return true
    }
  }
}

extension Database {
  /// Runs a migration of a journal, and lists it together with those of the core.
  func run(_ sql: String, as identifier: String) throws {
    try execute(sql: sql)
    try execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [identifier])
  }
}
