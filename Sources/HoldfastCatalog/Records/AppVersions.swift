import Foundation
import GRDB
import HoldfastModel

/// When an app last had the versions of records that the catalog has.
///
/// An app may change a record and not date the change. So of two libraries whose versions were not
/// edited in Holdfast, the one that imported the app's data later has the app's later version. A
/// time without a record tells that the record was deleted here.
extension Database {
  /// Returns the times for all records of a kind that came from an app, by the records' IDs.
  func appVersions(of kind: RecordKind) throws -> [String: Date] {
    let rows = try Row.fetchCursor(
      cachedStatement(sql: "SELECT id, importedAt FROM appVersion WHERE kind = ?"),
      arguments: [kind.name])
    var times: [String: Date] = [:]
    while let row = try rows.next() {
      times[try row.value(Column("id"))] = try row.value(Column("importedAt")) as Date
    }
    return times
  }

  /// Returns the time for a record; `nil` if it did not come from an app.
  func appVersion(of kind: RecordKind, _ id: String) throws -> Date? {
    try Date.fetchOne(
      cachedStatement(sql: "SELECT importedAt FROM appVersion WHERE kind = ? AND id = ?"),
      arguments: [kind.name, id])
  }

  /// Stores the time for a record, unless a later one is stored.
  func setAppVersion(of kind: RecordKind, _ id: String, importedAt time: Date) throws {
    try cachedStatement(
      sql: """
        INSERT INTO appVersion (kind, id, importedAt) VALUES (?, ?, ?)
        ON CONFLICT (kind, id) DO UPDATE SET importedAt = max(importedAt, excluded.importedAt)
        """
    ).execute(arguments: [kind.name, id, time.stored])
  }

  /// Removes the times for records that were deleted, if their IDs have words.
  ///
  /// The others tell a later import what was deleted here.
  func removeAppVersions(notOf state: JournalState) throws {
    for kind in state.kinds {
      try execute(
        sql: """
          DELETE FROM appVersion WHERE kind = ? AND id GLOB '*[^0-9A-F-]*'
            AND NOT EXISTS (SELECT 1 FROM \(kind.table) WHERE \(kind.key) = appVersion.id)
          """, arguments: [kind.kind.name])
    }
    guard state.unknown.isEmpty else { return }
    try execute(
      sql: "DELETE FROM appVersion WHERE kind NOT IN (SELECT value FROM json_each(?))",
      arguments: [jsonList(state.kinds.map(\.kind.name))])
  }
}
