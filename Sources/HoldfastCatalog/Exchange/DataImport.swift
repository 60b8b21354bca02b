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
  /// Which recordings of the catalog the document's recordings are. They are imported first.
  var links = RecordingLinks()

  init(_ db: Database, _ kinds: [any StoredKind], isDryRun: Bool) {
    self.db = db
    self.isDryRun = isDryRun
    report = DataImportReport(kinds.map(\.kind))
  }

  /// Imports records: those that the catalog lacks are added, and the others are merged.
  mutating func take<R: CatalogRow>(
    _ elements: [DocumentElement<R.Value>], as type: R.Type
  ) throws where R.Value: DeclaredRecord {
    let declaration = R.Value.declaration
    let kind = declaration.kind
    // Prepared once, because there may be a million rows.
    let find = try R.filter(Column("id") == "").makePreparedRequest(db).statement
    for value in values(of: elements) {
      let value = links.linked(value)
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
