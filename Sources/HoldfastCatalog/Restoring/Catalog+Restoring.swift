public import Foundation
internal import GRDB
public import HoldfastModel

/// A recording as another copy of the catalog has it, with everything that goes when it is deleted.
public struct RestorableRecording: Hashable, Sendable {
  /// The recording.
  public var recording: Recording
  /// How its thumbnail was made; `nil` if that is not known.
  public var thumbnail: ThumbnailRecord?
  /// Its rows in other tables, such as its plays.
  var children: [ChildRow]
  /// When the row was made again from the file; `NULL` if it was not.
  var rebuiltAt: DatabaseValue
  /// The keys of the records that name it, by their kind.
  public var links: [RecordKind: [String]]
}

/// A row of a table that belongs to a recording.
struct ChildRow: Hashable, Sendable {
  var table: String
  var columns: [String]
  var values: [DatabaseValue]
}

/// Bringing back a recording that another copy of the catalog still has.
extension Catalog {
  /// Returns a recording with everything that its deletion would remove; `nil` if there is none.
  ///
  /// - Throws: ``CatalogError``, also when one of the rows cannot be read.
  public func restorable(id: RecordingID) throws(CatalogError) -> RestorableRecording? {
    guard let recording = try recording(id: id) else { return nil }
    try read { _ in
      do throws(RuleError) { try RecordingDocument(recording).validate() } catch {
        throw RowDefect.broken(id.uuidString, error)
      }
    }
    var links: [RecordKind: [String]] = [:]
    let kinds = try read { db in
      Registry.core + (try JournalState(of: db, registry.journals).enabled.flatMap(\.storedKinds))
    }
    for kind in kinds {
      let keys = try read { try kind.keys(linkedTo: id, $0) }
      if !keys.isEmpty { links[kind.kind] = keys }
    }
    return RestorableRecording(
      recording: recording, thumbnail: try storedThumbnail(of: id)?.record,
      children: try read { try Self.children(of: id, $0) },
      rebuiltAt: try read { db in
        try DatabaseValue.fetchOne(
          db, sql: "SELECT rebuiltAt FROM recording WHERE id = ?", arguments: [id.uuidString])
      } ?? .null, links: links)
  }

  /// Returns the rows of a recording in other tables, but for that of its thumbnail.
  private static func children(of id: RecordingID, _ db: Database) throws -> [ChildRow] {
    try RecordingDocument.declaration.children.filter { $0.name != "thumbnail" }.flatMap { child in
      try Row.fetchAll(
        db, sql: "SELECT * FROM \(child.name) WHERE \(child.owner) = ?", arguments: [id.uuidString]
      ).map { row in
        if let plays: Int64 = row["count"], child.name == "plays", plays > mostPlays {
          throw RowDefect.unreadable(
            id.uuidString, column: "count of plays", value: "\(plays)")
        }
        return ChildRow(
          table: child.name, columns: Array(row.columnNames), values: Array(row.databaseValues))
      }
    }
  }

  /// Inserts a recording, and links the records that named it and name none now, in one transaction.
  ///
  /// A link went with the recording: that was not a person's change of the record, and neither is
  /// this.
  ///
  /// - Returns: How many records were linked.
  /// - Throws: ``CatalogError``. Nothing is then written.
  public func restore(_ restored: RestorableRecording) throws(CatalogError) -> Int {
    let id = restored.recording.id
    return try write { db in
      try Self.insert([restored.recording], restored.thumbnail.map { [id: $0] } ?? [:], db)
      try db.execute(
        sql: "UPDATE recording SET rebuiltAt = ? WHERE id = ?",
        arguments: [restored.rebuiltAt, id.uuidString])
      for child in restored.children {
        let columns = child.columns.joined(separator: ", ")
        let places = child.columns.map { _ in "?" }.joined(separator: ", ")
        // Another recording may have one of its other IDs by now.
        try db.execute(
          sql: "INSERT OR IGNORE INTO \(child.table) (\(columns)) VALUES (\(places))",
          arguments: StatementArguments(child.values))
      }
      try db.completePlays(of: id.uuidString)
      // Another library may know more plays of this replica than the older row does. Plays are counted
      // for a new one from now on.
      try db.execute(sql: "DELETE FROM replica")
      let kinds = try JournalState(of: db, registry.journals).enabled.flatMap(\.storedKinds)
      return try (Registry.core + kinds).reduce(0) { count, kind in
        try count + kind.link(restored.links[kind.kind] ?? [], to: id, db)
      }
    }
  }

  /// Returns a recording that is the same: a merge found so, it was made from the same source, as the
  /// same part, or its file has the same bytes. `nil` if there is none.
  ///
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func twin(of recording: Recording) throws(CatalogError) -> RecordingID? {
    let made = recording.ingestion
    let id = try read { db in
      try String.fetchOne(
        db,
        sql: """
          SELECT recordingId FROM alias WHERE id = :id
          UNION ALL
          SELECT id FROM recording WHERE id <> :id AND (fileSHA256 = :file
            OR (sourceSHA256 = :source AND part = :part AND partCount = :count))
          """,
        arguments: [
          "id": recording.id.uuidString, "file": made.fileSHA256.hexadecimal,
          "source": made.sourceSHA256.hexadecimal, "part": made.part, "count": made.partCount,
        ])
    }
    return id.flatMap(UUID.init(uuidString:))
  }
}

extension StoredKind {
  /// Returns the keys of the records that name a recording.
  fileprivate func keys(linkedTo id: RecordingID, _ db: Database) throws -> [String] {
    guard let link = declaration.link else { return [] }
    return try String.fetchAll(
      db,
      sql: """
        SELECT \(declaration.key) FROM \(declaration.table) WHERE \(link.column) = ?
        ORDER BY \(declaration.key)
        """, arguments: [id.uuidString])
  }

  /// Links records that name no recording. Returns how many were there.
  fileprivate func link(_ keys: [String], to id: RecordingID, _ db: Database) throws -> Int {
    guard let link = declaration.link, !keys.isEmpty else { return 0 }
    let statement = try db.cachedStatement(
      sql: """
        UPDATE \(declaration.table) SET \(link.column) = ?
        WHERE \(declaration.key) = ? AND \(link.column) IS NULL
        """)
    var count = 0
    for key in keys {
      try statement.execute(arguments: [id.uuidString, key])
      count += db.changesCount
    }
    return count
  }
}
