import Foundation
import GRDB
package import HoldfastModel

/// A thumbnail that was remade, with the values for its recording's row.
package struct RemadeThumbnail: Hashable, Sendable {
  package var id: RecordingID
  package var hash: SHA256Digest
  /// How the thumbnail was made. `nil` if that is not known.
  package var record: ThumbnailRecord?
  /// The codecs of the video's streams. `nil` if they were not examined.
  package var codecs: CodecStrings?

  package init(
    id: RecordingID, hash: SHA256Digest, record: ThumbnailRecord?, codecs: CodecStrings? = nil
  ) {
    self.id = id
    self.codecs = codecs
    self.hash = hash
    self.record = record
  }
}

/// How the recordings' thumbnails were made.
package struct ThumbnailTable: CatalogPart {
  let catalog: Catalog

  /// The path is unchecked. Both are `nil` for audio.
  package func file(
    of id: RecordingID
  ) throws(HoldfastError) -> (path: String?, hash: SHA256Digest?)? {
    try read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT thumbnailPath, thumbnailSHA256 FROM recording WHERE id = ?")
      return try Row.fetchOne(statement, arguments: [id.uuidString]).map { row in
        (row[0], (row[1] as String?).flatMap(SHA256Digest.init(hexadecimal:)))
      }
    }
  }

  /// Records all of them or none. Recordings that are gone are skipped.
  package func set(_ made: [RemadeThumbnail]) throws(HoldfastError) {
    try write { db in
      for thumbnail in made {
        try db.setCompactionDue(
          ifReplacing: [("thumbnailSHA256", thumbnail.hash.hexadecimal.databaseValue)],
          in: "recording", where: "id", is: thumbnail.id.uuidString)
        try db.setColumns(
          "thumbnailSHA256 = ?", to: [thumbnail.hash.hexadecimal], of: thumbnail.id)
        guard db.changesCount > 0 else { continue }
        try thumbnail.record.insert(db, of: thumbnail.id)
        try thumbnail.codecs?.fill(db, of: thumbnail.id)
      }
    }
  }

  /// Returns the stored data about a recording's files, and how its thumbnail was made if that is
  /// known; `nil` without such a recording.
  package func find(
    of id: RecordingID
  ) throws(HoldfastError) -> (files: StoredFiles, record: ThumbnailRecord?)? {
    try read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT recording.*, thumbnail.* FROM recording
          LEFT JOIN thumbnail ON recordingId = id WHERE id = ?
          """,
        arguments: [id.uuidString]
      ).map { (files: try StoredFiles(row: $0), record: try ThumbnailRecord(joined: $0)) }
    }
  }

  /// Returns a page of the videos, in the order of their IDs, with how their thumbnails were made.
  ///
  /// - Returns: The page. An empty page follows the last one.
  package func page(
    after id: RecordingID?, limit: Int = Catalog.longestPage
  ) throws(HoldfastError) -> [(id: RecordingID, path: String, record: ThumbnailRecord?)] {
    try read { db in
      try Row.fetchAll(
        db, sql: Self.page,
        arguments: [(id?.uuidString ?? "").endOfPage, min(max(limit, 0), Catalog.longestPage)]
      ).map { row in
        (
          id: try row.value(RecordingRow.Columns.id, UUID.init(stored:)),
          path: try row.value(RecordingRow.Columns.thumbnailPath),
          record: try ThumbnailRecord(joined: row)
        )
      }
    }
  }

  /// The plus sign keeps SQLite from using an index of the type, and sorting the rest for each
  /// page.
  static let page = """
    SELECT id, thumbnailPath, thumbnail.* FROM recording
    LEFT JOIN thumbnail ON recordingId = id
    WHERE +type = 'video' AND id > ? ORDER BY id LIMIT ?
    """
}

extension ThumbnailRecord {
  private enum Columns: String, ColumnExpression {
    case recordingID = "recordingId"
    case longSide, quality, asked, time, score, reason
  }

  init?(joined row: Row) throws {
    guard try row.optionalValue(Columns.recordingID, as: String.self) != nil else { return nil }
    self.init(
      longSide: try row.value(Columns.longSide), quality: try row.value(Columns.quality),
      asked: try row.optionalValue(Columns.asked),
      choice: FrameChoice(
        time: try row.value(Columns.time), score: try row.value(Columns.score),
        reason: try row.value(Columns.reason, FrameChoice.Reason.init(rawValue:))))
  }
}

extension ThumbnailRecord? {
  /// Records how a thumbnail was made, or that this is not known any more.
  func insert(_ db: Database, of id: RecordingID) throws {
    guard let self else {
      return try db.execute(
        sql: "DELETE FROM thumbnail WHERE recordingId = ?", arguments: [id.uuidString])
    }
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO thumbnail
        (recordingId, longSide, quality, asked, time, score, reason) VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      id.uuidString, self.longSide, self.quality, self.asked, self.choice.time, self.choice.score,
      self.choice.reason.rawValue,
    ])
  }
}
