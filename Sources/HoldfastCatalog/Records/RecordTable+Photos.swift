package import Foundation
import GRDB
package import HoldfastModel

extension RecordTable {
  /// Returns the photos that must be deleted before a record is: those that refer to it, and the
  /// record itself if it is a photo.
  package func photos<Value: JournalRecord>(
    of type: Value.Type, id: Value.ID
  ) throws(HoldfastError) -> [UUID] {
    try read { db in
      try JournalState(of: db, registry.journals).kinds.flatMap { kind in
        try kind.photos(of: type, key: id.keyText, db)
      }.compactMap(UUID.init(uuidString:))
    }
  }

  /// Whether a journal has a kind of photos.
  package func hasPhotos(ofJournal name: String) -> Bool {
    registry.journals.first { $0.name == name }?.storedKinds.contains(where: \.isPhoto) == true
  }

  /// Returns the photos of a journal.
  package func photos(ofJournal name: String) throws(HoldfastError) -> [UUID] {
    try read { db in
      let journal = try JournalState(of: db, registry.journals).enabled.first { $0.name == name }
      return try (journal?.storedKinds ?? []).filter(\.isPhoto).flatMap { kind in
        try String.fetchAll(db, sql: "SELECT id FROM \(kind.table)")
      }.compactMap(UUID.init(uuidString:))
    }
  }

  /// Deletes a record and photos, in one transaction.
  ///
  /// - Returns: Whether the record existed. If it did not, the photos stay.
  package func delete<Value: JournalRecord>(
    _ type: Value.Type, id: Value.ID, with photos: [UUID]
  ) throws -> Bool {
    try catalog.write { db in
      let database = try database(db)
      try database.requireEnabled(type)
      let declaration = Value.declaration
      let exists = try Bool.fetchOne(
        db,
        sql: "SELECT EXISTS (SELECT 1 FROM \(declaration.table) WHERE \(declaration.key) = ?)",
        arguments: [id.keyText])
      guard exists == true else { return false }
      try deletePhotos(photos, db)
      _ = try database.delete(type, id: id)
      try db.setCompactionDue()
      return true
    }
  }

  /// Deletes the row of a photo.
  package func deletePhoto(_ id: UUID) throws(HoldfastError) {
    try write { db in
      try deletePhotos([id], db)
      try db.setCompactionDue()
    }
  }

  private func deletePhotos(_ ids: [UUID], _ db: Database) throws {
    for table in try db.photoTables(registry) {
      for id in ids {
        try db.execute(sql: "DELETE FROM \(table) WHERE id = ?", arguments: [id.uuidString])
      }
    }
  }
}

extension StoredKind {
  fileprivate func photos<Other: JournalRecord>(
    of type: Other.Type, key: String, _ db: Database
  ) throws -> [String] {
    guard isPhoto else { return [] }
    if Value.self == Other.self { return [key] }
    return try declaration.references.filter { $0.target == type }.flatMap { reference in
      try String.fetchAll(
        db, sql: "SELECT id FROM \(table) WHERE \(reference.column) = ? ORDER BY id",
        arguments: [key])
    }
  }
}
