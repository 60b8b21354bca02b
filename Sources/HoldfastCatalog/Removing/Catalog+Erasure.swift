public import Foundation
internal import GRDB

/// Taking everything out of a catalog, so that nothing of it can be found in the file.
extension Catalog {
  /// Deletes all that a person put in, brings the default messages to their first state, and marks
  /// the catalog as being erased: all in one transaction.
  ///
  /// ``compact()`` and ``endErasure()`` follow.
  ///
  /// - Parameter id: The name of the folder in the trash that holds the files.
  /// - Throws: ``CatalogError``.
  public func beginErasure(_ id: UUID) throws(CatalogError) {
    try write { db in
      // Triggers before their entries, and links before what they lead to: nothing to look up.
      for table in [
        "cravingTrigger", "craving", "usageTrigger", "usage", "thumbnail", "sound", "recording",
        "message WHERE isCustom",
      ] { try db.execute(sql: "DELETE FROM \(table)") }
      try db.execute(
        sql: """
          UPDATE message SET timesShown = 0, lastShownAt = NULL, isActive = 1,
            modifiedAt = createdAt
          """)
      try db.execute(sql: "UPDATE library SET erasing = ?", arguments: [id.uuidString])
    }
  }

  /// The erasure under way, or one that died; `nil` if there is none.
  ///
  /// - Throws: ``CatalogError``.
  public func erasure() throws(CatalogError) -> UUID? {
    try read { db in try String.fetchOne(db, sql: "SELECT erasing FROM library") }
      .flatMap(UUID.init(uuidString:))
  }

  /// Takes the mark away: the files are gone.
  ///
  /// - Throws: ``CatalogError``.
  public func endErasure() throws(CatalogError) {
    try write { db in try db.execute(sql: "UPDATE library SET erasing = NULL") }
  }
}
