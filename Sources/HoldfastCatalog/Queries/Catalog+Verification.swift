public import Foundation
internal import GRDB
public import HoldfastModel

/// What is known of a recording's files since they were last read.
extension Catalog {
  /// The recordings whose files are to be read: those first of which a fault is known, then those
  /// that were not read for the longest time.
  ///
  /// - Parameters:
  ///   - moment: What was found right since then, and before now, is left out; `nil` for nothing.
  ///   - now: A clock that was wrong once must not keep anything from ever being read again.
  /// - Throws: ``CatalogError``.
  public func recordingsToVerify(
    notSince moment: Date?, now: Date
  ) throws(CatalogError) -> [RecordingID] {
    typealias Term = RowList<RecordingRow>.Term
    let condition: SQL = """
      (verifiedAt IS NULL OR verifiedAt < \((moment ?? .distantFuture).roundedToMillisecond)
        OR verifiedAt > \(now.roundedToMillisecond))
      """
    var ids: [RecordingID] = []
    for (matches, terms) in [
      (RecordingRow.filter(sql: "fault IS NOT NULL"), [Term(sql: "+verifiedAt"), Term(sql: "id")]),
      (
        RecordingRow.filter(sql: "fault IS NULL").filter(literal: condition),
        [Term(sql: "verifiedAt"), Term(sql: "id")]
      ),
    ] {
      let list = RowList(matches: matches, terms: terms)
      var place: RowList<RecordingRow>.Place?
      repeat {
        let places = try read { try list.places(after: place, limit: Self.longestPage, $0) }
        // Text, not identities: a row whose ID is none is a finding elsewhere, and no reason to stop.
        ids += places.compactMap { $0.last.flatMap(String.fromDatabaseValue) }
          .compactMap(UUID.init(uuidString:))
        place = places.last
      } while place != nil
    }
    return ids
  }

  /// Whether any recording's media file has so many bytes.
  ///
  /// - Throws: ``CatalogError``.
  public func hasRecording(fileSize: Int64) throws(CatalogError) -> Bool {
    try !read(RecordingRow.filter(RecordingRow.Columns.fileSize == fileSize).isEmpty)
  }

  /// The recordings whose media file has this hash.
  ///
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func storedFiles(fileSHA256 hash: SHA256Digest) throws(CatalogError) -> [StoredFiles] {
    let request = RecordingRow.filter(RecordingRow.Columns.fileSHA256 == hash.hexadecimal)
      .order(RecordingRow.Columns.id).select(StoredFiles.columns)
    return try read { db in
      try request.asRequest(of: Row.self).fetchAll(db).map(StoredFiles.init(row:))
    }
  }

  /// Notes that every byte of these recordings' files was read and is what was written.
  ///
  /// - Throws: ``CatalogError``.
  public func setVerified(_ ids: [RecordingID], at moment: Date) throws(CatalogError) {
    try write { db in
      let statement = try db.cachedStatement(
        sql: """
          UPDATE recording SET verifiedAt = ?, fault = NULL, faultySince = NULL WHERE id = ?
          """)
      for id in ids {
        try statement.execute(arguments: [moment.roundedToMillisecond, id.uuidString])
      }
    }
  }

  /// Notes that a recording's media file is in its place and right.
  ///
  /// - Throws: ``CatalogError``.
  public func clearFault(of id: RecordingID) throws(CatalogError) {
    try write { db in
      try db.execute(
        sql: "UPDATE recording SET fault = NULL, faultySince = NULL WHERE id = ?",
        arguments: [id.uuidString])
    }
  }

  /// Notes what is wrong with a recording's media file, and since when, unless that is known.
  ///
  /// - Throws: ``CatalogError``.
  public func setFault(
    _ fault: RecordingFault, of id: RecordingID, at moment: Date
  ) throws(CatalogError) {
    try write { db in
      try db.execute(
        sql: """
          UPDATE recording SET fault = ?, faultySince = coalesce(faultySince, ?) WHERE id = ?
          """,
        arguments: [fault.rawValue, moment.roundedToMillisecond, id.uuidString])
    }
  }

  /// Notes that a recording's media file was made anew; everything else of it stays.
  ///
  /// - Throws: ``CatalogError``.
  public func setFile(
    _ hash: SHA256Digest, size: Int64, of id: RecordingID
  ) throws(CatalogError) {
    try write { db in
      try db.execute(
        sql: """
          UPDATE recording SET fileSHA256 = ?, fileSize = ?, fault = NULL, faultySince = NULL
          WHERE id = ?
          """,
        arguments: [hash.hexadecimal, size, id.uuidString])
      try db.execute(sql: "DELETE FROM sound WHERE recordingId = ?", arguments: [id.uuidString])
    }
  }

  /// Corrects how long a recording is presented; everything else of it stays.
  ///
  /// - Parameters:
  ///   - duration: In seconds.
  ///   - id: The recording.
  /// - Throws: ``CatalogError``.
  public func setDuration(_ duration: Double, of id: RecordingID) throws(CatalogError) {
    try write { db in
      try db.execute(
        sql: "UPDATE recording SET duration = ? WHERE id = ?",
        arguments: [duration, id.uuidString])
    }
  }

  /// Notes what recordings' streams are coded in, where that was not known.
  ///
  /// - Throws: ``CatalogError``.
  public func fillCodecs(_ found: [RecordingID: CodecStrings]) throws(CatalogError) {
    try write { db in
      for (id, codecs) in found { try codecs.fill(db, of: id) }
    }
  }

  /// Gives a recording the paths that its identity and type say; and so, in the same step, the
  /// recordings whose rows have that file, as two have that were exchanged.
  ///
  /// - Throws: ``CatalogError``.
  public func resetPaths(of id: RecordingID) throws(CatalogError) {
    try write { db in
      var ids = [id]
      while let id = ids.popLast() {
        guard
          let text = try String.fetchOne(
            db, sql: "SELECT type FROM recording WHERE id = ?", arguments: [id.uuidString]),
          let type = RecordingType(rawValue: text)
        else { continue }
        let path = RelativePath.media(type, id: id).string
        let holder = try String.fetchOne(
          db, sql: "SELECT id FROM recording WHERE filePath = ? AND id <> ?",
          arguments: [path, id.uuidString]
        ).flatMap(UUID.init(uuidString:))
        if let holder {
          // A path that nothing has, until it is its turn.
          try db.execute(
            sql: "UPDATE recording SET filePath = ? WHERE id = ?",
            arguments: ["\(RelativePath.root)/\(holder.uuidString)", holder.uuidString])
          ids.append(holder)
        }
        try db.execute(
          sql: "UPDATE recording SET filePath = ?, thumbnailPath = ? WHERE id = ?",
          arguments: [
            path, type == .video ? RelativePath.thumbnail(id: id).string : nil, id.uuidString,
          ])
      }
    }
  }

  /// What is known of a recording's files since they were last read; `nil` if there is no such
  /// recording.
  ///
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func fileState(id: RecordingID) throws(CatalogError) -> RecordingFileState? {
    typealias Columns = RecordingRow.Columns
    let request = RecordingRow.with(id)
      .select([Columns.verifiedAt, Columns.fault, Columns.faultySince])
    return try read { db in
      try request.asRequest(of: Row.self).fetchOne(db).map { row in
        RecordingFileState(
          verifiedAt: try row.optionalValue(Columns.verifiedAt),
          fault: try row.optionalValue(Columns.fault, RecordingFault.init(rawValue:)),
          faultySince: try row.optionalValue(Columns.faultySince))
      }
    }
  }
}

extension CodecStrings {
  /// Notes them in a recording's row, where nothing stands yet.
  func fill(_ db: Database, of id: RecordingID) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE recording
        SET videoCodec = coalesce(videoCodec, ?), audioCodec = coalesce(audioCodec, ?)
        WHERE id = ?
        """)
    try statement.execute(arguments: [video, audio, id.uuidString])
  }
}
