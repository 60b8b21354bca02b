import HoldfastCatalog
import HoldfastCravings
import HoldfastModel

/// Cravings, usage and messages as examples of records.
extension Catalog {
  /// An empty catalog in memory, for a program that knows cravings.
  static func withCravings() throws(HoldfastError) -> Catalog {
    try inMemory(journals: [.cravings])
  }

  func insert<Value: JournalRecord>(_ record: Value) throws {
    try records.write { db in try db.insert(record) }
  }

  func record<Value: JournalRecord>(_ type: Value.Type, id: Value.ID) throws -> Value? {
    try records.read { db in try db.record(type, id: id) }
  }

  func records<Value: JournalRecord>(
    _ type: Value.Type, clause: String = "ORDER BY id"
  ) throws -> [Value] {
    try records.read { db in try db.records(type, clause: clause, arguments: []) }
  }

  /// Changes a record, but not the time of its last edit.
  func update<Value: JournalRecord>(
    _ type: Value.Type, id: Value.ID, _ change: (inout Value) -> Void
  ) throws {
    try records.write { db in
      guard var record = try db.record(type, id: id) else { return }
      change(&record)
      try db.update(record)
    }
  }

  func delete<Value: JournalRecord>(_ type: Value.Type, id: Value.ID) throws -> Bool {
    try records.write { db in try db.delete(type, id: id) }
  }
}

extension RecordKind {
  static let cravings = Craving.declaration.kind
  static let usage = Usage.declaration.kind
  static let messages = Message.declaration.kind
}
