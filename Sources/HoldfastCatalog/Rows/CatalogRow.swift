internal import Foundation
internal import GRDB
internal import HoldfastModel

/// A row of a table whose primary key is `id`, which wraps a value of the model.
///
/// The model's types cannot conform to GRDB's protocols: conformances of a public type are public,
/// and GRDB must stay hidden inside this module.
protocol CatalogRow: FetchableRecord, PersistableRecord {
  associatedtype Value: Identifiable & Sendable where Value.ID: RecordKey

  var value: Value { get set }
  init(_ value: Value)

  /// The column with the value's identity.
  static var key: Column { get }
  /// Whether the row is one of a journal.
  static var isOfJournal: Bool { get }
  /// The columns that repeat others, such as a text to search in.
  static var derivedColumns: [String] { get }
  /// Returns the row with its value encoded, so that writing it does not encode it again.
  ///
  /// - Throws: `RuleError`, or a ``RowDefect``, if the value cannot be written.
  func encoded() throws -> Self
  /// Inserts the row and its rows in other tables.
  func insertWhole(_ db: Database) throws
  /// Updates the row and its rows in other tables.
  func updateWhole(_ db: Database) throws
}

extension CatalogRow {
  static var key: Column { Column("id") }
  static var isOfJournal: Bool { false }
  static var derivedColumns: [String] { [] }

  func encoded() throws -> Self { self }

  func insertWhole(_ db: Database) throws { try insert(db) }
  func updateWhole(_ db: Database) throws { try update(db) }

  static func with(_ id: Value.ID) -> QueryInterfaceRequest<Self> {
    filter(key == id.keyText)
  }
}

extension Catalog {
  func row<R: CatalogRow>(_ type: R.Type, id: R.Value.ID) throws(CatalogError) -> R.Value? {
    try read(R.with(id).fetchOne)?.value
  }

  func fetch<R: CatalogRow>(
    _ request: QueryInterfaceRequest<R>
  ) throws(CatalogError) -> [R.Value] {
    try read(request.fetchAll).map(\.value)
  }

  /// Returns the rows whose UUID begins with `prefix`, in the order of their IDs.
  func rows<R: CatalogRow>(
    _ type: R.Type, idPrefix prefix: String, limit: Int
  ) throws(CatalogError) -> [R.Value] where R.Value.ID == UUID {
    guard let range = Self.range(ofIDPrefix: prefix) else { return [] }
    let id = Column("id")
    return try fetch(
      R.filter(id >= range.lowerBound && id < range.upperBound).order(id).limit(max(limit, 0)))
  }

  /// Returns the range of the UUIDs that begin with `prefix`, in the order of a primary key's index;
  /// `nil` if none can.
  static func range(ofIDPrefix prefix: String) -> Range<String>? {
    let isPlausible = prefix.unicodeScalars.allSatisfy {
      $0 == "-" || ($0.isASCII && $0.properties.isASCIIHexDigit)
    }
    guard !prefix.isEmpty, isPlausible else { return nil }
    let first = prefix.uppercased()
    // "G" sorts after every character of an ID.
    return first..<(first + "G")
  }

  func insertRow(_ row: some CatalogRow) throws(CatalogError) {
    try write(row.insertWhole)
  }

  /// Reads a row, changes it, and writes it, in one transaction.
  ///
  /// - Returns: The changed value, or `nil` if there is no such row.
  func updateRow<R: CatalogRow>(
    _ type: R.Type, id: R.Value.ID, _ change: (inout R.Value) throws -> Void,
    writing update: (R, Database) throws -> Void = { try $0.updateWhole($1) }
  ) throws -> R.Value? {
    // What `change` throws is passed on as it is, not as an error of the database.
    var refusal: (any Error)?
    let value = try write { db -> R.Value? in
      guard var row = try R.with(id).fetchOne(db) else { return nil }
      do { try change(&row.value) } catch {
        refusal = error
        return nil
      }
      try update(row, db)
      return row.value
    }
    if let refusal { throw refusal }
    return value
  }

  /// Deletes a row, and marks the catalog as due for compaction.
  ///
  /// - Returns: Whether there was such a row.
  func deleteRow<R: CatalogRow>(_ type: R.Type, id: R.Value.ID) throws(CatalogError) -> Bool {
    try write { db in
      guard try R.with(id).deleteAll(db) > 0 else { return false }
      try db.setCompactionDue()
      return true
    }
  }
}
