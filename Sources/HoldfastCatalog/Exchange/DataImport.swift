internal import Foundation
internal import GRDB
internal import HoldfastModel

/// One import of data, which compares the document with each row in turn and writes the result.
///
/// No step depends on what an earlier step wrote. So a dry run, which writes nothing, finds the
/// same.
struct DataImport {
  let db: Database
  let isDryRun: Bool
  var report: DataImportReport
  private let document: ExportDocument
  /// Which recordings of the catalog the document's recordings are. They are imported first.
  var links = RecordingLinks()
  /// The records of some kinds that are in the catalog or in the document.
  private var known: [RecordKind: Set<String>] = [:]

  init(
    _ document: ExportDocument, _ db: Database, _ kinds: [any StoredKind], isDryRun: Bool
  ) {
    self.document = document
    self.db = db
    self.isDryRun = isDryRun
    report = DataImportReport(kinds.map(\.kind))
  }

  /// Imports the document.
  mutating func take(_ kinds: [any StoredKind]) throws {
    for kind in kinds { try kind.take(document, in: &self) }
  }

  /// Imports records: those that the catalog lacks are added, and the others are merged.
  mutating func take<R: CatalogRow>(
    _ elements: [DocumentElement<R.Value>], as type: R.Type
  ) throws where R.Value: DeclaredRecord {
    let declaration = R.Value.declaration
    let kind = declaration.kind
    // Prepared once, because there may be a million rows.
    let find = try R.filter(R.key == "").makePreparedRequest(db).statement
    for value in values(of: elements) {
      let value = try referring(links.linked(value))
      let key = value.id.keyText
      guard let row = try R.fetchOne(find, arguments: [key]) else {
        report.change(kind, key, isNew: true)
        let added = declaration.merging.map { $0(nil, value) } ?? value
        if !isDryRun { try R(added).insertWhole(db) }
        continue
      }
      let merged = row.value.merged(with: value)
      guard merged != row.value else {
        report.count(kind, \.unchanged)
        continue
      }
      report.change(kind, key, isNew: false)
      if !isDryRun { try R(merged).updateWhole(db) }
    }
  }

  /// Returns the record without the references whose targets are nowhere.
  private mutating func referring<Value: DeclaredRecord>(_ record: Value) throws -> Value {
    var record = record
    for reference in Value.declaration.references {
      guard let key = record[keyPath: reference.path] else { continue }
      if try !isKnown(key, as: reference.target) { record[keyPath: reference.path] = nil }
    }
    return record
  }

  private mutating func isKnown<Target: JournalRecord>(
    _ key: String, as type: Target.Type
  ) throws -> Bool {
    let declaration = Target.declaration
    if let keys = known[declaration.kind] { return keys.contains(key) }
    var keys = try String.fetchSet(
      db, sql: "SELECT \(declaration.key) FROM \(declaration.table)")
    for case .value(let record) in document[type] { keys.insert(record.id.keyText) }
    known[declaration.kind] = keys
    return keys.contains(key)
  }

  /// Returns the records that can be taken, each once.
  ///
  /// If the document has several versions of a record, the one changed last wins, and among equals
  /// the last one.
  mutating func values<Value: DeclaredRecord>(of elements: [DocumentElement<Value>]) -> [Value] {
    let kind = Value.declaration.kind
    var values: [Value] = []
    var places: [Value.ID: Int] = [:]
    values.reserveCapacity(elements.count)
    places.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      switch element {
      case .refused(let id, let reason):
        report.count(kind, \.refused)
        report.items.append(.refused(kind, index: index, id: id, reason: reason))
      case .value(let value):
        guard let place = places[value.id] else {
          places[value.id] = values.count
          values.append(value)
          continue
        }
        report.count(kind, \.unchanged)
        values[place] = values[place].newer(value)
      }
    }
    return values
  }
}
