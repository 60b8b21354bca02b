import Foundation
import GRDB
import HoldfastModel

/// A declared kind of record with the type of its rows: the operations that a catalog has for every
/// kind.
protocol StoredKind: Sendable {
  associatedtype Value: DeclaredRecord

  /// Returns a page of the records, in the order of their IDs.
  func page(after key: String, limit: Int, _ db: Database) throws -> [Value]

  func record(_ key: String, _ db: Database) throws -> Value?

  /// Returns the records with these IDs, in their order.
  func records(_ keys: ArraySlice<String>, _ db: Database) throws -> [Value]

  /// Imports the document's records of this kind.
  func importRecords(of document: ExportDocument, in run: inout DataImport) throws

  /// Merges another library's records of this kind.
  func importRecords(from other: Catalog, in run: inout DataImport) throws
}

extension StoredKind {
  var declaration: RecordDeclaration<Value> { Value.declaration }
  var kind: RecordKind { declaration.kind }
  /// The kind's tables, children first.
  var tables: [String] { declaration.tables }

  var table: String { declaration.table }
  var key: String { declaration.key }
  var isPhoto: Bool { declaration.isPhoto }

  var pageLimit: Int { min(declaration.pageLimit ?? .max, Catalog.longestPage) }

  /// Returns the IDs of a page of the records, including those that cannot be read.
  func keys(after key: String, limit: Int, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT \(declaration.key) FROM \(declaration.table)
        WHERE \(declaration.key) > ? ORDER BY \(declaration.key) LIMIT ?
        """,
      arguments: [key.endOfPage, limit])
  }

  func count(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM \(declaration.table)") ?? 0
  }

  /// Deletes the records, as their declaration says.
  func erase(_ db: Database) throws {
    var condition = ""
    if case .deleting(let which, let reset) = declaration.erasure {
      condition = " WHERE \(which)"
      try db.execute(sql: "UPDATE \(declaration.table) SET \(reset) WHERE NOT (\(which))")
    } else {
      // Before the records, so that SQLite need not search for children.
      for child in declaration.children { try db.execute(sql: "DELETE FROM \(child.name)") }
    }
    try db.execute(sql: "DELETE FROM \(declaration.table)\(condition)")
  }
}

struct KindOfRecord<Value: JournalRecord>: StoredKind {
  private typealias Row = JournalRow<Value>

  func page(after key: String, limit: Int, _ db: Database) throws -> [Value] {
    let id = Row.key
    return try Row.filter(id > key.endOfPage).order(id).limit(limit).fetchAll(db).map(\.value)
  }

  func record(_ key: String, _ db: Database) throws -> Value? {
    try Row.filter(Row.key == key).fetchOne(db)?.value
  }

  func records(_ keys: ArraySlice<String>, _ db: Database) throws -> [Value] {
    var values: [String: Value] = [:]
    var rest = keys
    while !rest.isEmpty {
      let page = rest.prefix(pageLimit)
      rest = rest.dropFirst(page.count)
      for row in try Row.filter(page.contains(Row.key)).fetchAll(db) {
        values[row.value.id.keyText] = row.value
      }
    }
    return keys.compactMap { values[$0] }
  }

  func importRecords(of document: ExportDocument, in run: inout DataImport) throws {
    try run.importRecords(document[Value.self])
  }

  func importRecords(from other: Catalog, in run: inout DataImport) throws {
    var last = ""
    while let page = try elements(of: other, after: last) {
      last = page.last
      try run.importRecords(page.elements)
    }
  }
}

/// Recordings. An import cannot add any, because it has no files for them.
struct KindOfRecording: StoredKind {
  func page(after key: String, limit: Int, _ db: Database) throws -> [RecordingDocument] {
    let id = RecordingRow.Columns.id
    let rows = try RecordingRow.filter(id > key.endOfPage).order(id).limit(limit).fetchAll(db)
    guard let first = rows.first?.value.id, let last = rows.last?.value.id else { return [] }
    let plays = try db.plays(ofRecordings: first.uuidString...last.uuidString)
    return rows.map { RecordingDocument($0.value, plays: plays[$0.value.id.uuidString] ?? []) }
  }

  func record(_ key: String, _ db: Database) throws -> RecordingDocument? {
    try RecordingRow.filter(RecordingRow.Columns.id == key).fetchOne(db)
      .map { RecordingDocument($0.value) }
  }

  func records(_ keys: ArraySlice<String>, _ db: Database) throws -> [RecordingDocument] {
    try keys.compactMap { try record($0, db) }
  }

  func importRecords(of document: ExportDocument, in run: inout DataImport) throws {
    try run.importRecordings(document[RecordingDocument.self])
  }

  func importRecords(from other: Catalog, in run: inout DataImport) throws {
    // Another library's recordings are merged with their files, before its other records.
  }
}
