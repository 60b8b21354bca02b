import CSQLite
import Foundation
import GRDB
package import HoldfastModel

/// One recording of this library, the same of another library, and the merged result.
package struct Merge: Hashable, Sendable {
  package let own: MergeCandidate
  package let other: MergeCandidate
  package let merged: MergedRecording
  /// Whether neither library knew until now that both are one recording.
  package var isJoined: Bool { merged.isJoined }

  /// Merges two versions; `nil` if the notes of both are too long to keep together.
  package init?(_ own: MergeCandidate, _ other: MergeCandidate) throws {
    var (own, other) = (own, other)
    own.readConversion()
    other.readConversion()
    guard let merged = try MergedRecording(own.version, other.version) else { return nil }
    self.own = own
    self.other = other
    self.merged = merged
  }

  package var changesFiles: Bool {
    merged.takesFile || merged.takesThumbnail || merged.recording.id != own.id
  }

  package var changesNothing: Bool {
    let names = Set(own.aliases + [own.id])
    return merged.recording == own.version.recording && !changesFiles
      && other.plays.allSatisfy { own.plays[$0.key, default: 0] >= $0.value }
      && (other.aliases + [other.id]).allSatisfy(names.contains)
      && merged.unseenIDs == own.version.unseenIDs
      && (other.sound == nil || own.sound != nil || !isSameFile)
  }

  package var isSameFile: Bool {
    merged.recording.ingestion.fileSHA256 == other.version.recording.ingestion.fileSHA256
  }
}

extension CatalogMerge {
  /// Inserts recordings of another library: all of them or none.
  ///
  /// Rows that this catalog would have written in the same way are copied unchanged.
  ///
  /// - Parameter makeFiles: Returns when the recordings' files are complete and durable in this
  ///   library. It is called before the rows are committed.
  /// - Throws: `HoldfastError`, also when `makeFiles` throws.
  package func insert(
    _ candidates: [MergeCandidate], waitingFor makeFiles: () throws -> Void
  ) throws(HoldfastError) {
    try own.write { db in
      // A transaction that does not fit writes its journal to the disk again and again.
      try db.execute(sql: "PRAGMA cache_size = -65536")
      // An ID that was another recording's former ID becomes a recording's own ID again.
      try db.execute(
        sql: "DELETE FROM alias WHERE id IN (SELECT value FROM json_each(?))",
        arguments: [jsonList(candidates.map(\.id.uuidString))])
      let plain = candidates.filter(\.isPlain)
      try db.copyRows(of: plain, from: other)
      for candidate in candidates where !candidate.isPlain {
        var row = RecordingRow(candidate.version.recording.atOwnPaths)
        row.conversion = candidate.storedConversion
        try row.insert(db)
        try candidate.version.thumbnail.insert(db, of: candidate.id)
        try candidate.sound?.insert(db, of: candidate.id)
        try db.merge(candidate, into: candidate.id.uuidString)
      }
      for candidate in candidates where !candidate.version.unseenIDs.isEmpty {
        try db.setUnseen(candidate.version.unseenIDs, of: candidate.id.uuidString)
      }
      try link(candidates.map { ($0.id, $0.id.uuidString) }, db)
      try makeFiles()
    }
  }

  /// Writes merged recordings: all of them or none.
  ///
  /// If a recording gets another ID, everything that refers to it follows, and the old ID is kept
  /// as a former ID.
  ///
  /// - Parameter merges: The merged recordings, whose files are complete and durable.
  package func write(_ merges: [Merge]) throws(HoldfastError) {
    try own.write { db in
      for merge in merges {
        try db.completePlays(of: merge.own.id.uuidString)
        try write(merge, db)
      }
      let joined = merges.filter(\.isJoined)
      try link(joined.map { ($0.other.id, $0.merged.recording.id.uuidString) }, db)
    }
  }

  /// Links records that are here already, and have no link, to recordings that come now, as they
  /// are linked in the other library.
  ///
  /// They lost their links with the recordings. As this is done in the transaction that brings the
  /// recordings, a link that is missing later was removed by a person.
  ///
  /// - Parameter recordings: The other library's IDs of the recordings, and those here.
  private func link(_ recordings: [(other: RecordingID, own: String)], _ db: Database) throws {
    let own = Dictionary(
      recordings.map { ($0.other.uuidString, $0.own) }, uniquingKeysWith: { first, _ in first })
    guard !own.isEmpty else { return }
    try other.read { otherDB in
      for kind in try self.own.registry.kinds(in: db, name: self.own.name) {
        try kind.link(own, as: otherDB, db)
      }
    }
  }

  private func write(_ merge: Merge, _ db: Database) throws {
    let (merged, candidate) = (merge.merged, merge.other)
    let id = merge.own.id
    let (old, new) = (id.uuidString, merged.recording.id.uuidString)
    if old == new {
      try RecordingRow(merged.recording).update(db)
    } else {
      try RecordingRow(merged.recording).insert(db)
      try db.execute(
        sql: """
          UPDATE recording SET (verifiedAt, fault, faultySince, rebuiltAt) = (
            SELECT verifiedAt, fault, faultySince, rebuiltAt FROM recording WHERE id = ?)
          WHERE id = ?
          """, arguments: [old, new])
      try moveEverything(from: old, to: new, db)
      if let time = merge.own.version.importedAt {
        try db.setAppVersion(of: .recordings, new, importedAt: time)
      }
    }
    if merged.takesFile {
      try db.setColumns(
        "verifiedAt = NULL, fault = NULL, faultySince = NULL, rebuiltAt = NULL",
        of: merged.recording.id)
      try db.execute(sql: "DELETE FROM sound WHERE recordingId = ?", arguments: [new])
    }
    if !merged.recording.isRebuilt {
      try db.setColumns("rebuiltAt = NULL", of: merged.recording.id)
    }
    if merged.takesThumbnail {
      try candidate.version.thumbnail.insert(db, of: merged.recording.id)
    }
    if merge.isSameFile {
      try candidate.sound?.insert(db, of: merged.recording.id)
    }
    try db.merge(candidate, into: new, addingPlays: merge.isJoined)
    try db.setUnseen(merged.unseenIDs, of: new)
  }

  /// Moves everything that belongs or refers to a recording to another row, and deletes the old
  /// row.
  private func moveEverything(from old: String, to new: String, _ db: Database) throws {
    for child in RecordingDocument.declaration.children {
      try db.execute(
        sql: "UPDATE \(child.name) SET \(child.owner) = ? WHERE \(child.owner) = ?",
        arguments: [new, old])
    }
    for kind in try own.registry.kinds(in: db, name: own.name) {
      try kind.moveLinks(from: old, to: new, db)
    }
    try db.execute(sql: "DELETE FROM recording WHERE id = ?", arguments: [old])
    try db.setCompactionDue()
    try db.execute(sql: "DELETE FROM alias WHERE id = ?", arguments: [new])
    try db.execute(
      sql: "INSERT INTO alias (id, recordingId) VALUES (?, ?)", arguments: [old, new])
  }
}

extension StoredKind {
  /// - Parameter recordings: The recordings here, by their IDs in the other library.
  fileprivate func link(
    _ recordings: [String: String], as other: Database, _ db: Database
  ) throws {
    let (table, key) = (declaration.table, declaration.key)
    guard let column = declaration.link?.column, try other.tableExists(table) else { return }
    let links = try Row.fetchCursor(
      other.cachedStatement(
        sql: """
          SELECT \(key), \(column) FROM \(table)
          WHERE \(column) IN (SELECT value FROM json_each(?))
          """), arguments: [jsonList(Array(recordings.keys))])
    let update = try db.cachedStatement(
      sql: "UPDATE \(table) SET \(column) = ? WHERE \(key) = ? AND \(column) IS NULL")
    while let link = try links.next() {
      guard let id = String.fromDatabaseValue(link[0]),
        let recording = String.fromDatabaseValue(link[1]).flatMap({ recordings[$0] })
      else { continue }
      try update.execute(arguments: [recording, id])
    }
  }

  fileprivate func moveLinks(from old: String, to new: String, _ db: Database) throws {
    let owner = declaration.owner.map { _ in declaration.key }
    for column in [owner, declaration.link?.column].compactMap(\.self) {
      try db.execute(
        sql: "UPDATE \(declaration.table) SET \(column) = ? WHERE \(column) = ?",
        arguments: [new, old])
    }
  }
}

extension SoundProfile {
  /// Stores the profile, unless the recording has one.
  fileprivate func insert(_ db: Database, of id: RecordingID) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO sound (recordingId, loudness, truePeak, peaks) VALUES (?, ?, ?, ?)
        ON CONFLICT (recordingId) DO NOTHING
        """
    ).execute(arguments: [id.uuidString, loudness, truePeak, Data(peaks)])
  }
}

extension Database {
  fileprivate func copyRows(of candidates: [MergeCandidate], from other: Catalog) throws {
    let ids = candidates.map(\.id.uuidString)
    guard !ids.isEmpty else { return }
    try other.read { otherDB in
      let count = try copyRows(
        of: RecordingRow.databaseTableName, RecordingRow.mergedColumns, key: "id", ids,
        from: otherDB)
      guard count == ids.count else {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT, message: "only \(count) of \(ids.count) rows were found")
      }
      // A recording's other rows can be made again, so a row that breaks a rule is left out.
      for child in RecordingDocument.declaration.children where child.name != "alias" {
        try copyRows(
          of: child.name, try columns(in: child.name).map(\.name), key: child.owner, ids,
          from: otherDB, leavingOut: true)
      }
    }
    for candidate in candidates {
      try addAliases(candidate.aliases, of: candidate.id.uuidString)
    }
    try execute(
      sql: """
        UPDATE recording SET playCount = total FROM (
          SELECT value AS key, (
            SELECT ifnull(sum(count), 0) FROM plays WHERE recordingId = value) AS total
          FROM json_each(?))
        WHERE id = key AND playCount <> total
        """, arguments: [jsonList(ids)])
  }

  /// Copies the rows from another catalog whose column `key` has one of the values.
  ///
  /// - Parameter leavingOut: Whether to leave out a row that breaks a rule of the table. If not, it
  ///   is an error.
  /// - Returns: How many rows were found.
  @discardableResult
  private func copyRows(
    of table: String, _ columns: [String], key: String, _ values: [String], from other: Database,
    leavingOut: Bool = false
  ) throws -> Int {
    let list = columns.joined(separator: ", ")
    let insert = try cachedStatement(
      sql: """
        INSERT \(leavingOut ? "OR IGNORE " : "")INTO \(table) (\(list))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """)
    let select = try other.cachedStatement(
      sql: "SELECT \(list) FROM \(table) WHERE \(key) IN (SELECT value FROM json_each(?))")
    try select.setArguments([jsonList(values)])
    // The values go directly from one statement to the other. Converting them to text and back
    // would take as long as inserting them.
    let (reader, writer) = unsafe (select.sqliteStatement, insert.sqliteStatement)
    defer {
      unsafe sqlite3_reset(reader)
      unsafe sqlite3_reset(writer)
      unsafe sqlite3_clear_bindings(writer)
    }
    var count = 0
    while true {
      let code = unsafe sqlite3_step(reader)
      if code == SQLITE_DONE { return count }
      count += 1
      guard code == SQLITE_ROW else { throw unsafe DatabaseError(code, other.sqliteConnection) }
      for column in 0..<CInt(columns.count) {
        unsafe sqlite3_bind_value(writer, column + 1, sqlite3_column_value(reader, column))
      }
      guard unsafe sqlite3_step(writer) == SQLITE_DONE else {
        throw unsafe DatabaseError(sqlite3_extended_errcode(sqliteConnection), sqliteConnection)
      }
      unsafe sqlite3_reset(writer)
    }
  }

  /// Merges the plays, with the larger count of each replica, and the former IDs.
  ///
  /// - Parameter isJoined: Whether they were two recordings until now. A replica that counted plays
  ///   of both counted different ones. An app counted the same ones, in the document that both
  ///   libraries read.
  fileprivate func merge(
    _ candidate: MergeCandidate, into id: String, addingPlays isJoined: Bool = false
  ) throws {
    let count = try cachedStatement(
      sql: """
        INSERT INTO plays (recordingId, replica, count) VALUES (?1, ?2, ?3)
        ON CONFLICT (recordingId, replica)
        DO UPDATE SET count = iif(?4, count + excluded.count, max(count, excluded.count))
        """)
    let known = Set(([candidate.id] + candidate.aliases).map(\.uuidString))
    for (replica, plays) in candidate.plays {
      try count.execute(
        arguments: [id, replica, plays, isJoined && !known.contains(replica)])
    }
    try cachedStatement(
      sql: """
        UPDATE recording SET playCount = (
          SELECT ifnull(sum(count), 0) FROM plays WHERE recordingId = recording.id) WHERE id = ?
        """
    ).execute(arguments: [id])
    try addAliases([candidate.id] + candidate.aliases, of: id)
    if let time = candidate.version.importedAt {
      try setAppVersion(of: .recordings, id, importedAt: time)
    }
  }

  /// Stores with which former IDs' words a recording was not edited yet.
  func setUnseen(_ ids: Set<RecordingID>, of id: String) throws {
    try cachedStatement(
      sql: """
        UPDATE alias SET isSeen = id NOT IN (SELECT value FROM json_each(?1))
        WHERE recordingId = ?2 AND isSeen <> (id NOT IN (SELECT value FROM json_each(?1)))
        """
    ).execute(arguments: [jsonList(ids.map(\.uuidString)), id])
  }

  func addAliases(_ aliases: [RecordingID], of id: String) throws {
    // The ID of a recording here cannot also be a former ID of another.
    let name = try cachedStatement(
      sql: """
        INSERT INTO alias (id, recordingId) SELECT ?1, ?2
        WHERE NOT EXISTS (SELECT 1 FROM recording WHERE id = ?1)
        ON CONFLICT (id) DO UPDATE SET recordingId = excluded.recordingId
        """)
    for alias in aliases where alias.uuidString != id {
      try name.execute(arguments: [alias.uuidString, id])
    }
  }
}

extension DatabaseError {
  /// The last error of a connection.
  fileprivate init(_ code: CInt, _ connection: OpaquePointer?) {
    unsafe self.init(
      resultCode: ResultCode(rawValue: code),
      message: sqlite3_errmsg(connection).map { unsafe String(cString: $0) })
  }
}
