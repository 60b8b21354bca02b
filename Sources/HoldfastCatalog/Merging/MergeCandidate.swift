import Foundation
import GRDB
package import HoldfastModel

/// A recording of another library, with everything that a merge needs to know about it.
package struct MergeCandidate: Hashable, Sendable {
  /// The recording, with how its thumbnail was made.
  package var version: MergedRecording.Version
  /// How often it was played, by replica.
  package var plays: [String: Int]
  /// Its sound profile; `nil` if its sound was not measured.
  package var sound: SoundProfile?
  /// Its conversion in the catalog's text; `nil` if there is none, or if it was decoded into
  /// `version`. Decoding takes longer than everything else, and a recording that is only copied
  /// does not need it.
  var storedConversion: String?
  /// Whether its row can be copied to another catalog unchanged.
  var isPlain = true
  /// Whether its file was missing or damaged when it was last checked.
  package var isFaulty = false

  package var aliases: [RecordingID] {
    get { version.formerIDs }
    set { version.formerIDs = newValue }
  }

  /// The recording's identity in the other library.
  package var id: RecordingID { version.recording.id }

  mutating func readConversion() {
    guard let text = storedConversion else { return }
    version.recording.ingestion.conversion = ConversionReport(json: text)
    storedConversion = nil
  }
}

extension MergeCandidate {
  /// Returns a recording with its other rows, or `nil` if there is none. Its conversion is not
  /// read.
  static func find(_ id: String, _ db: Database) throws -> Self? {
    let rows = try Row.fetchCursor(
      db.cachedStatement(sql: candidates + " WHERE id = ?"), arguments: [id])
    return try rows.next().map { try Self($0, db) }
  }

  static let page = candidates + " WHERE id > ? ORDER BY id LIMIT ?"

  /// Whether a text of the row has a NUL, where SQLite's own functions stop reading.
  private static let hasZero =
    "instr("
    + RecordingRow.mergedTexts.map { "ifnull(recording.\($0), '')" }.joined(separator: " || ")
    + ", char(0)) > 0"

  /// Recordings with their other rows. Of the two columns named `conversion`, the first is read.
  private static let candidates = """
    SELECT NULL AS conversion, conversion AS stored, recording.*, thumbnail.*,
      loudness, truePeak, peaks,
      \(hasZero) AS hasZero, length(CAST(recording.id AS BLOB)) AS idLength,
      fault IS NOT NULL AS isFaulty,
      EXISTS (SELECT 1 FROM plays WHERE recordingId = recording.id) AS hasPlays,
      EXISTS (SELECT 1 FROM alias WHERE recordingId = recording.id) AS hasAliases,
      (SELECT importedAt FROM appVersion WHERE kind = 'recordings' AND id = recording.id)
        AS appVersion
    FROM recording LEFT JOIN thumbnail ON thumbnail.recordingId = id
      LEFT JOIN sound ON sound.recordingId = id
    """

  init(_ stored: Row, _ db: Database) throws {
    let row = try RecordingRow(row: stored)
    let id = row.value.id.uuidString
    guard try stored.value(Column("idLength")) == id.utf8.count else {
      throw RowDefect.unreadable(id, column: "id", value: "more than an ID")
    }
    let hasZero: Bool = try stored.value(Column("hasZero"))
    let conversion = try stored.optionalValue(Column("stored"), as: String.self)
    let searchText = try stored.optionalValue(RecordingRow.Columns.searchText, as: String.self)
    // This library's catalog would refuse the row, and everything that is written with it.
    do throws(RuleError) { try RecordingDocument(row.value).validate() } catch {
      throw RowDefect.broken(id, error)
    }
    let appVersion = try stored.optionalValue(Column("appVersion"), as: Date.self)
    let former = try stored.value(Column("hasAliases")) ? Self.aliases(of: id, db) : []
    let hasSound = try stored.optionalValue(Column("peaks"), as: Data.self) != nil
    self.init(
      version: MergedRecording.Version(
        row.value, thumbnail: try ThumbnailRecord(joined: stored),
        formerIDs: former.map(\.id), unseenIDs: Set(former.filter { !$0.isSeen }.map(\.id)),
        importedAt: appVersion),
      plays: try stored.value(Column("hasPlays")) ? Self.plays(of: id, db) : [:],
      sound: hasSound ? try SoundProfile(row: stored) : nil,
      storedConversion: conversion,
      isPlain: !hasZero && appVersion == nil && row.value == row.value.atOwnPaths
        && row.value.searchText == searchText,
      isFaulty: try stored.value(Column("isFaulty")))
  }

  private static func plays(of id: String, _ db: Database) throws -> [String: Int] {
    let rows = try Row.fetchAll(
      db.cachedStatement(sql: "SELECT replica, count FROM plays WHERE recordingId = ?"),
      arguments: [id])
    return Dictionary(
      try rows.map { row in
        let count: Int = try row.value(Column("count"))
        guard count <= RecordingRow.mostPlays else {
          throw RowDefect.unreadable(id, column: "count of plays", value: "\(count)")
        }
        return (try row.value(Column("replica")) as String, count)
      },
      uniquingKeysWith: max)
  }

  private static func aliases(
    of id: String, _ db: Database
  ) throws -> [(id: RecordingID, isSeen: Bool)] {
    try Row.fetchAll(
      db.cachedStatement(sql: "SELECT id, isSeen FROM alias WHERE recordingId = ? ORDER BY id"),
      arguments: [id]
    ).compactMap { row in
      String.fromDatabaseValue(row[0]).flatMap(UUID.init(uuidString:)).map { ($0, row[1] != 0) }
    }
  }
}
