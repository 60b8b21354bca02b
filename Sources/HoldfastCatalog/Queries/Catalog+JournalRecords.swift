internal import GRDB
public import HoldfastModel

/// Records of journals: the rows of a kind by its declaration.
extension Catalog {
  /// Inserts a record.
  ///
  /// - Throws: ``CatalogError``, with ``CatalogError/Code/refused`` when it breaks a rule, and with
  ///   ``CatalogError/Code/journalNotEnabled`` when its journal is not enabled.
  public func insert<Value: JournalRecord>(_ record: Value) throws(CatalogError) {
    try requireEnabled(Value.self)
    try insertRow(JournalRow(record))
  }

  /// Returns the record with this ID, or `nil` if there is none.
  ///
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func record<Value: JournalRecord>(
    _ type: Value.Type, id: Value.ID
  ) throws(CatalogError) -> Value? {
    try requireEnabled(type)
    return try row(JournalRow<Value>.self, id: id)
  }

  /// Returns the records whose ID begins with `prefix`, in the order of their IDs.
  ///
  /// - SeeAlso: ``recordings(idPrefix:limit:)``
  public func records<Value: JournalRecord>(
    _ type: Value.Type, idPrefix prefix: String, limit: Int
  ) throws(CatalogError) -> [Value] {
    try requireEnabled(type)
    return try rows(JournalRow<Value>.self, idPrefix: prefix, limit: limit)
  }

  /// Returns records of a kind.
  ///
  /// - Parameters:
  ///   - type: The kind.
  ///   - clause: What follows the table in a `SELECT`, such as `WHERE day = ? ORDER BY id LIMIT 20`.
  ///     An index should give the rows in order: while a statement is open, no writer can commit.
  ///   - arguments: The values of the clause's question marks.
  /// - Throws: ``CatalogError``, also when one of the rows cannot be read.
  public func records<Value: JournalRecord>(
    _ type: Value.Type, _ clause: String, _ arguments: [SQLValue]
  ) throws(CatalogError) -> [Value] {
    try requireEnabled(type)
    let keys = try read { db in
      try String.fetchAll(
        db, sql: "SELECT id FROM \(Value.declaration.table) \(clause)",
        arguments: StatementArguments(arguments.map(\.databaseValue)))
    }
    var records: [Value] = []
    for start in stride(from: 0, to: keys.count, by: Self.longestPage) {
      let page = keys[start..<min(start + Self.longestPage, keys.count)]
      let values = Dictionary(
        try fetch(JournalRow<Value>.filter(page.contains(Column("id")))).map {
          ($0.id.keyText, $0)
        },
        uniquingKeysWith: { first, _ in first })
      records += page.compactMap { values[$0] }
    }
    return records
  }

  /// Replaces a record that the catalog has.
  ///
  /// - Throws: ``CatalogError``, also when there is no such record.
  public func update<Value: JournalRecord>(_ record: Value) throws(CatalogError) {
    try requireEnabled(Value.self)
    try write(JournalRow(record).updateWhole)
  }

  /// Deletes a record. A recording that it is linked to stays.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``CatalogError`` when the catalog cannot be written.
  public func deleteRecord<Value: JournalRecord>(
    _ type: Value.Type, id: Value.ID
  ) throws(CatalogError) -> Bool {
    try requireEnabled(type)
    return try deleteRow(JournalRow<Value>.self, id: id)
  }

  private func requireEnabled<Value: JournalRecord>(_ type: Value.Type) throws(CatalogError) {
    let kind = Value.declaration.kind
    let isEnabled = try read { db in
      try JournalState(of: db, registry.journals).enabled.contains { journal in
        journal.storedKinds.contains { $0.kind == kind }
      }
    }
    guard isEnabled else { throw .noSuchKind(name, kind) }
  }
}
