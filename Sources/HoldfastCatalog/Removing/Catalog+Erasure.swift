public import Foundation
internal import GRDB

/// Removing everything from a catalog, so that none of it can be found in the file.
extension Catalog {
  /// Deletes everything that a person entered, and resets the default messages.
  ///
  /// In the same transaction it marks the catalog as being erased. Call ``compact()`` and
  /// ``endErasure()`` next.
  ///
  /// - Parameter id: The name of the folder in the trash that holds the files.
  /// - Throws: ``CatalogError`` when the catalog cannot be written.
  public func beginErasure(_ id: UUID) throws(CatalogError) {
    try write { db in
      // Triggers go before their entries, and links before their targets, so that SQLite has
      // nothing to look up.
      for table in [
        "cravingTrigger", "craving", "usageTrigger", "usage", "thumbnail", "sound", "recording",
        "message WHERE isCustom",
      ] { try db.execute(sql: "DELETE FROM \(table)") }
      try db.execute(
        sql: """
          UPDATE message SET timesShown = 0, lastShownAt = NULL, isActive = 1,
            modifiedAt = NULL
          """)
      try db.execute(sql: "UPDATE library SET erasing = ?", arguments: [id.uuidString])
    }
  }

  /// Returns the erasure that is under way or was interrupted, or `nil` if there is none.
  ///
  /// - Throws: ``CatalogError`` when the catalog cannot be read.
  public func erasure() throws(CatalogError) -> UUID? {
    try read { db in try String.fetchOne(db, sql: "SELECT erasing FROM library") }
      .flatMap(UUID.init(uuidString:))
  }

  /// Removes the mark. Call it when the files are gone.
  ///
  /// - Throws: ``CatalogError`` when the catalog cannot be written.
  public func endErasure() throws(CatalogError) {
    try write { db in try db.execute(sql: "UPDATE library SET erasing = NULL") }
  }
}
