import GRDB
import HoldfastModel

extension DataImport {
  /// Returns the record without references to missing targets.
  mutating func referring<Value: DeclaredRecord>(_ record: Value) throws -> Value {
    let references = Value.declaration.references
    guard !references.isEmpty else { return record }
    var record = record
    do {
      for reference in references {
        let isSettled = try reference.settle(&record) { key, target in
          try isKnown(key, as: target)
        }
        if !isSettled { unlinked[reference.column, default: 0] += 1 }
      }
    } catch let error as RuleError {
      throw Refusal(reason: error.description)
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
    switch origin {
    case .document(let document), .app(let document, _):
      for case .value(let record) in document[type] { keys.insert(record.id.keyText) }
    case .library(let other, _):
      keys.formUnion(
        try other.read { db in
          try db.tableExists(declaration.table)
            ? String.fetchSet(db, sql: "SELECT \(declaration.key) FROM \(declaration.table)") : []
        })
    }
    keys.subtract(refused[declaration.kind] ?? [])
    known[declaration.kind] = keys
    return keys.contains(key)
  }

  /// Reports the references that were left out.
  mutating func reportUnlinked(_ kind: RecordKind) {
    let reason =
      if case .library = origin {
        "it did not come into this library"
      } else {
        "it is neither in the document nor in the library"
      }
    for (column, count) in unlinked.sorted(by: { $0.key < $1.key }) {
      report.notes.append("\(column): \(kind.text(count)), not linked, because \(reason)")
    }
  }

  /// Removes references to records of the same kind that were refused after the record was written.
  func removeReferences<Value: DeclaredRecord>(
    to refused: Set<String>, in declaration: RecordDeclaration<Value>
  ) throws {
    for reference in declaration.references where reference.target == Value.self {
      for key in refused {
        try db.execute(
          sql: """
            UPDATE \(declaration.table) SET \(reference.column) = NULL
            WHERE \(reference.column) = :key
              AND NOT EXISTS (SELECT 1 FROM \(declaration.table) WHERE \(declaration.key) = :key)
            """, arguments: ["key": key])
        if db.changesCount > 0 { try db.setCompactionDue() }
      }
    }
  }
}
