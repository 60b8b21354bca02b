package import Foundation
import GRDB
package import HoldfastModel

/// Plays are counted for each replica of a library, which is a folder on a computer where it is
/// used. Two replicas that count apart can then be merged, and no play is lost or counted twice.
extension RecordingTable {
  /// Counts one more play of a recording.
  ///
  /// - Parameter place: The library's place. A place that the catalog does not know is a new
  ///   replica: the library may be a copy of another one, which counts its own plays.
  /// - Returns: The new number of plays, or `nil` without such a recording.
  package func countPlay(
    id: RecordingID, now: Date, at place: SHA256Digest
  ) throws(HoldfastError) -> Int? {
    try write { db in
      let count = try Int.fetchOne(
        db,
        sql: """
          UPDATE recording SET playCount = playCount + 1, lastPlayedAt = ? WHERE id = ?
          RETURNING playCount
          """,
        arguments: [now.roundedToMillisecond, id.uuidString])
      if count != nil { try db.addPlays(1, of: id.uuidString, in: db.replica(at: place)) }
      return count
    }
  }

  package func hasReplicas() throws(HoldfastError) -> Bool {
    try read { db in try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM replica)") ?? false }
  }

  /// Forgets the replicas, because the catalog is a copy that is used separately from now on.
  package func forgetReplicas() throws(HoldfastError) {
    try write { db in try db.execute(sql: "DELETE FROM replica") }
  }
}

extension Database {
  /// Returns the ID of the replica at a place. A new place gets a new ID.
  fileprivate func replica(at place: SHA256Digest) throws -> String {
    try execute(
      sql: "INSERT INTO replica (place, id) VALUES (?, ?) ON CONFLICT (place) DO NOTHING",
      arguments: [place.hexadecimal, UUID().uuidString])
    return try String.fetchOne(
      self, sql: "SELECT id FROM replica WHERE place = ?", arguments: [place.hexadecimal]) ?? ""
  }

  /// Adds plays to those of a replica. The caller adds them to the recording's `playCount`.
  fileprivate func addPlays(_ count: Int, of recording: String, in replica: String) throws {
    try execute(
      sql: """
        INSERT INTO plays (recordingId, replica, count) VALUES (?, ?, ?)
        ON CONFLICT (recordingId, replica) DO UPDATE SET count = count + excluded.count
        """, arguments: [recording, replica, count])
  }

  /// Returns how many plays of a recording something has counted; `nil` if that is unknown.
  func plays(of recording: String, countedBy counter: String) throws -> Int? {
    try Int.fetchOne(
      self, sql: "SELECT count FROM plays WHERE recordingId = ? AND replica = ?",
      arguments: [recording, counter])
  }

  /// Returns the plays of all recordings whose IDs are in a range, by these IDs.
  func plays(ofRecordings ids: ClosedRange<String>) throws -> [String: [CountedPlays]] {
    let rows = try Row.fetchCursor(
      cachedStatement(
        sql: """
          SELECT recordingId, replica, count FROM plays WHERE recordingId BETWEEN ? AND ?
          ORDER BY recordingId, replica
          """), arguments: [ids.lowerBound, ids.upperBound])
    var plays: [String: [CountedPlays]] = [:]
    while let row = try rows.next() {
      let replica: String = try row.value(Column("replica"))
      guard let replica = UUID(uuidString: replica) else { continue }
      plays[try row.value(Column("recordingId")), default: []].append(
        CountedPlays(replica: replica, count: try row.value(Column("count"))))
    }
    return plays
  }

  /// Stores plays of a recording, unless more are stored of the same replica.
  func setPlays(_ plays: [CountedPlays], of recording: String) throws {
    for counted in plays where counted.count > 0 {
      try execute(
        sql: """
          INSERT INTO plays (recordingId, replica, count) VALUES (?, ?, ?)
          ON CONFLICT (recordingId, replica) DO UPDATE SET count = max(count, excluded.count)
          """, arguments: [recording, counted.replica.uuidString, counted.count])
    }
  }

  /// Adds the plays by which a recording's `playCount` exceeds their sum.
  ///
  /// The replica that counted them is unknown. They are added to the plays from before replicas
  /// were counted.
  ///
  /// - Parameters:
  ///   - recording: The recording; `nil` for all of them.
  ///   - counter: What counted them instead, if it is known: the document's ID of the recording
  ///     stands for the app that wrote the document. Two libraries that read it have the same.
  func completePlays(of recording: String? = nil, countedBy counter: String? = nil) throws {
    try execute(
      sql: """
        INSERT INTO plays (recordingId, replica, count)
        SELECT id, ifnull(?, (SELECT uuid FROM library)), rest FROM (
          SELECT id, playCount - (
            SELECT ifnull(sum(count), 0) FROM plays WHERE recordingId = recording.id) AS rest
          FROM recording WHERE playCount > 0\(recording == nil ? "" : " AND id = ?"))
        WHERE rest > 0
        ON CONFLICT (recordingId, replica) DO UPDATE SET count = count + excluded.count
        """, arguments: StatementArguments([counter] + (recording.map { [$0] } ?? [])))
  }
}
