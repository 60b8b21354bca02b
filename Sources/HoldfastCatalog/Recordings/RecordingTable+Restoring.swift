import Foundation
import GRDB
package import HoldfastModel

/// A recording from another copy of the catalog, with everything that its deletion removes.
package struct RestorableRecording: Hashable, Sendable {
  package var recording: Recording
  /// How its thumbnail was made; `nil` if that is not known.
  package var thumbnail: ThumbnailRecord?
  /// Its rows in other tables, such as its plays, and those of the records that belong to it.
  var children: [ChildRow]
  /// When the row was rebuilt from the file; `NULL` if it was not.
  var rebuiltAt: DatabaseValue
  package var links: RecordingLinks
}

/// The records that name a recording in another copy of the catalog.
package struct RecordingLinks: Hashable, Sendable {
  struct Link: Hashable, Sendable {
    var key: String
    var modifiedAt: DatabaseValue
  }

  var links: [RecordKind: [Link]] = [:]

  package var isEmpty: Bool { links.isEmpty }
}

/// A row of a table that belongs to a recording.
struct ChildRow: Hashable, Sendable {
  var table: String
  var columns: [String]
  var values: [DatabaseValue]

  /// Returns the rows of a table whose `column` has `key`.
  static func all(
    of table: String, where column: String, is key: String, _ db: Database,
    checking check: (Row) throws -> Void = { _ in }
  ) throws -> [ChildRow] {
    try Row.fetchAll(
      db, sql: "SELECT * FROM \(table) WHERE \(column) = ?", arguments: [key]
    ).map { row in
      try check(row)
      return ChildRow(
        table: table, columns: Array(row.columnNames), values: Array(row.databaseValues))
    }
  }
}

extension RecordingTable {
  /// Returns a recording with everything that its deletion would remove; `nil` if there is none.
  package func restorable(id: RecordingID) throws(HoldfastError) -> RestorableRecording? {
    guard let recording = try find(id: id) else { return nil }
    try read { _ in
      do throws(RuleError) { try RecordingDocument(recording).validate() } catch {
        throw RowDefect.broken(id.uuidString, error)
      }
    }
    return RestorableRecording(
      recording: recording, thumbnail: try catalog.thumbnails.find(of: id)?.record,
      children: try read { try Self.children(of: id, $0) } + owned(by: id),
      rebuiltAt: try read { db in
        try DatabaseValue.fetchOne(
          db, sql: "SELECT rebuiltAt FROM recording WHERE id = ?", arguments: [id.uuidString])
      } ?? .null, links: try links(of: id))
  }

  /// Returns the rows of the records that belong to a recording, each before its lists'.
  private func owned(by id: RecordingID) throws(HoldfastError) -> [ChildRow] {
    let kinds = try read { db in try JournalState(of: db, registry.journals).kinds }
    return try read { db in try kinds.flatMap { try $0.rows(ownedBy: id.uuidString, db) } }
  }

  package func links(of id: RecordingID) throws(HoldfastError) -> RecordingLinks {
    var links = RecordingLinks()
    let kinds = try read { db in try JournalState(of: db, registry.journals).kinds }
    for kind in kinds {
      let found = try read { try kind.links(to: id, $0) }
      if !found.isEmpty { links.links[kind.kind] = found }
    }
    return links
  }

  /// Returns the rows of a recording in other tables, except its thumbnail's.
  private static func children(of id: RecordingID, _ db: Database) throws -> [ChildRow] {
    try RecordingDocument.declaration.children.filter { $0.name != "thumbnail" }.flatMap { child in
      try ChildRow.all(of: child.name, where: child.owner, is: id.uuidString, db) { row in
        if let plays: Int64 = row["count"], child.name == "plays", plays > RecordingRow.mostPlays {
          throw RowDefect.unreadable(
            id.uuidString, column: "count of plays", value: "\(plays)")
        }
      }
    }
  }

  /// Inserts a recording, and restores the missing links of records that named it, in one
  /// transaction.
  ///
  /// A link was removed with the recording. Neither that nor this is a person's edit.
  ///
  /// - Returns: How many records were linked.
  package func restore(_ restored: RestorableRecording) throws(HoldfastError) -> Int {
    let id = restored.recording.id
    return try write { db in
      try Self.insert(
        [restored.recording], thumbnails: restored.thumbnail.map { [id: $0] } ?? [:], in: db)
      try db.setColumns("rebuiltAt = ?", to: [restored.rebuiltAt], of: id)
      for child in restored.children {
        let columns = child.columns.joined(separator: ", ")
        let places = child.columns.map { _ in "?" }.joined(separator: ", ")
        // Another recording may have one of its former IDs by now.
        try db.execute(
          sql: "INSERT OR IGNORE INTO \(child.table) (\(columns)) VALUES (\(places))",
          arguments: StatementArguments(child.values))
      }
      // An ID that a recording has by now is not a former ID of this one.
      try db.execute(sql: "DELETE FROM alias WHERE id IN (SELECT id FROM recording)")
      try db.completePlays(of: id.uuidString)
      // Another library may know more plays of this replica than the older row does. From now on,
      // plays are counted for a new replica.
      try db.execute(sql: "DELETE FROM replica")
      return try link(restored.links, to: id, db)
    }
  }

  /// Restores the missing links of records that named a recording in another copy of the catalog.
  ///
  /// - Parameter isUnedited: Whether to link only records that were not edited since: the user may
  ///   have removed the link.
  /// - Returns: How many records were linked.
  /// - Throws: `HoldfastError`. Nothing is then written.
  package func link(
    _ links: RecordingLinks, to id: RecordingID, ifUnedited isUnedited: Bool
  ) throws(HoldfastError) -> Int {
    try write { db in try link(links, to: id, ifUnedited: isUnedited, db) }
  }

  private func link(
    _ links: RecordingLinks, to id: RecordingID, ifUnedited isUnedited: Bool = false,
    _ db: Database
  ) throws -> Int {
    try JournalState(of: db, registry.journals).kinds.reduce(0) { count, kind in
      try count + kind.link(links.links[kind.kind] ?? [], to: id, ifUnedited: isUnedited, db)
    }
  }
}

extension StoredKind {
  /// Returns the rows of the record that belongs to a recording, if any.
  fileprivate func rows(ownedBy id: String, _ db: Database) throws -> [ChildRow] {
    guard declaration.owner != nil, let record = try record(id, db) else { return [] }
    do throws(RuleError) { try record.validate() } catch { throw RowDefect.broken(id, error) }
    return try ChildRow.all(of: declaration.table, where: declaration.key, is: id, db)
      + declaration.children.flatMap { try ChildRow.all(of: $0.name, where: $0.owner, is: id, db) }
  }

  fileprivate func links(to id: RecordingID, _ db: Database) throws -> [RecordingLinks.Link] {
    guard let link = declaration.link else { return [] }
    return try Row.fetchAll(
      db,
      sql: """
        SELECT \(declaration.key), modifiedAt FROM \(declaration.table) WHERE \(link.column) = ?
        ORDER BY \(declaration.key)
        """, arguments: [id.uuidString]
    ).map { RecordingLinks.Link(key: $0[0], modifiedAt: $0[1]) }
  }

  /// Links records without a link. Returns how many were there.
  fileprivate func link(
    _ links: [RecordingLinks.Link], to id: RecordingID, ifUnedited isUnedited: Bool, _ db: Database
  ) throws -> Int {
    guard let link = declaration.link, !links.isEmpty else { return 0 }
    let statement = try db.cachedStatement(
      sql: """
        UPDATE \(declaration.table) SET \(link.column) = ?
        WHERE \(declaration.key) = ? AND \(link.column) IS NULL AND (NOT ? OR modifiedAt IS ?)
        """)
    var count = 0
    for link in links {
      try statement.execute(arguments: [id.uuidString, link.key, isUnedited, link.modifiedAt])
      count += db.changesCount
    }
    return count
  }
}
