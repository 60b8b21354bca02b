package import Foundation
import GRDB
package import HoldfastModel

/// Removes everything from a catalog, so that none of it can be found in the file.
package struct ErasureMark: CatalogPart {
  let catalog: Catalog

  /// Deletes everything that a person entered, and resets the default messages. Journals stay
  /// enabled.
  ///
  /// In the same transaction it marks the catalog as being erased. Run ``Compaction``, and
  /// call ``end()``, next.
  ///
  /// - Parameter id: The name of the folder in the trash that holds the files.
  package func begin(_ id: UUID) throws(HoldfastError) {
    try write { db in
      // Records that refer to others go first, so that SQLite need not search for references.
      for kind in try registry.kinds(in: db, name: name).reversed() { try kind.erase(db) }
      for table in Registry.local + ["appVersion"] { try db.execute(sql: "DELETE FROM \(table)") }
      try db.execute(sql: "UPDATE library SET erasing = ?", arguments: [id.uuidString])
    }
  }

  /// Returns the erasure that is under way or was interrupted, or `nil` if there is none.
  package func current() throws(HoldfastError) -> UUID? {
    try read { db in try String.fetchOne(db, sql: "SELECT erasing FROM library") }
      .flatMap(UUID.init(uuidString:))
  }

  /// Removes the mark. Call it when the files are gone.
  package func end() throws(HoldfastError) {
    try write { db in try db.execute(sql: "UPDATE library SET erasing = NULL") }
  }
}
