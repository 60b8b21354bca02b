import Foundation
import GRDB
import HoldfastModel

extension Schema {
  /// Migration "v7": time zones of entries, and rules of the data model that were not kept.
  ///
  /// * `modifiedAt` is NULL until a person changes a record.
  /// * Cravings and usage keep the time zone in which they were logged. Older entries get the zone
  ///   of this machine.
  /// * A recording's `duration` is at most 120. The rest of its file is padding.
  /// * Notes of entries are limited in bytes, because SQL cannot count characters as a person does.
  ///
  /// The tables are not copied into new ones. A library's catalog may have a gigabyte, and would
  /// have two afterwards.
  ///
  /// A row that breaks an older rule does not make the whole library unusable: it stays, and
  /// verification reports it.
  static func v7(_ db: Database) throws {
    try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
    defer { try? db.execute(sql: "PRAGMA ignore_check_constraints = OFF") }
    // Not SQLite's 'localtime': for some values of TZ it differs from Foundation, which gives new
    // entries their zone.
    let localOffset = DatabaseFunction("holdfast_offset", argumentCount: 1) { values in
      guard let seconds = Int64.fromDatabaseValue(values[0]).map(Double.init) else { return 0 }
      let minutes = Date(timeIntervalSince1970: seconds).localOffset
      return min(max(minutes, Entry.offsets.lowerBound), Entry.offsets.upperBound)
    }
    db.add(function: localOffset)
    defer { db.remove(function: localOffset) }
    for table in ["craving", "usage"] {
      try db.execute(
        sql: """
          -- The default is for the rows that are there, and goes below.
          ALTER TABLE \(table) ADD COLUMN timestampOffset INTEGER NOT NULL DEFAULT 0
            CONSTRAINT "timestampOffset is less than a day"
            CHECK (timestampOffset BETWEEN -1439 AND 1439);
          """)
    }
    try db.execute(sql: "UPDATE recording SET duration = 120 WHERE duration > 120")
    let modifiedAt = ("modifiedAt TEXT NOT NULL", "modifiedAt TEXT")
    let notes = [
      ("notes have at most 500 characters", "notes have at most 8000 bytes"),
      ("length(notes) <= 500 AND", "length(CAST(notes AS BLOB)) <= 8000 AND"),
    ]
    try rewrite(
      [
        "recording": [
          modifiedAt, ("and at most 120.1\"", "and at most 120\""),
          ("duration <= 120.1)", "duration <= 120)"),
        ],
        "craving": [modifiedAt] + notes, "usage": [modifiedAt] + notes, "message": [modifiedAt],
      ], in: db)
    try db.execute(
      sql: """
        UPDATE recording SET modifiedAt = NULL WHERE modifiedAt = createdAt;
        UPDATE message SET modifiedAt = NULL WHERE modifiedAt = createdAt;
        """)
    for table in ["craving", "usage"] {
      try db.execute(
        sql: """
          UPDATE \(table) SET modifiedAt = nullif(modifiedAt, createdAt), timestampOffset =
            holdfast_offset(CAST(strftime('%s', timestamp) AS INTEGER))
          """)
    }
    let offset = "timestampOffset INTEGER NOT NULL"
    let noDefault = ["craving", "usage"].map { ($0, [("\(offset) DEFAULT 0", offset)]) }
    try rewrite(Dictionary(uniqueKeysWithValues: noDefault), in: db)
    try db.execute(
      sql: """
        -- The last use, with its zone.
        DROP INDEX usage_recent;
        CREATE INDEX usage_recent ON usage (timestamp DESC, id, timestampOffset);
        -- Newest first, and with what is counted and averaged over a period at hand.
        DROP INDEX craving_recent;
        CREATE INDEX craving_recent ON craving (
          timestamp DESC, id, intensity, location, recordingId, timestampOffset);
        """)
  }

  /// Returns whether ``v7(_:)`` is going to give a time zone to any entry.
  static func hasEntriesWithoutTimeZone(_ db: Database) throws -> Bool {
    let applied = try migrator.appliedIdentifiers(db)
    guard applied.contains("v2"), !applied.contains("v7") else { return false }
    return try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM craving) OR EXISTS (SELECT 1 FROM usage)") == true
  }

  /// Changes the text of tables' definitions, where that changes nothing about how rows are stored.
  ///
  /// SQLite documents this way of dropping a constraint or a default. A statement that is missing,
  /// or occurs twice, is an error.
  ///
  /// - SeeAlso: https://sqlite.org/lang_altertable.html#otheralter
  private static func rewrite(
    _ changes: [String: [(old: String, new: String)]], in db: Database
  ) throws {
    try db.allowingSchemaWrites {
      for (table, pairs) in changes {
        for (old, new) in pairs {
          try db.execute(
            sql: """
              UPDATE sqlite_schema SET sql = replace(sql, :old, :new)
              WHERE type = 'table' AND name = :table
                AND length(sql) - length(replace(sql, :old, '')) = length(:old)
              """, arguments: ["old": old, "new": new, "table": table])
          guard db.changesCount == 1 else {
            throw DatabaseError(
              resultCode: .SQLITE_SCHEMA, message: "\(table) is not as this version made it")
          }
        }
      }
    }
  }
}
