package import Foundation
import GRDB
package import HoldfastModel

/// The catalog's data about the files of recordings and photos, and their state when they were last
/// read.
package struct FileTable: CatalogPart {
  let catalog: Catalog

  /// Returns a page in the order of the recordings' and photos' IDs.
  ///
  /// - Parameter key: The last ID of the page before, as it is stored.
  /// - Returns: The page. An empty page follows the last one.
  package func page(
    after key: String?, limit: Int = Catalog.longestPage
  ) throws(HoldfastError) -> [StoredFiles] {
    let recordings = try fetch(RecordingRow.page(after: key, limit: limit))
    let photos = try photos(
      "WHERE id > ? ORDER BY id LIMIT \(max(limit, 0))", [(key ?? "").endOfPage])
    if photos.isEmpty { return recordings }
    return Array(
      (recordings + photos).sorted { $0.id.uuidString < $1.id.uuidString }.prefix(limit))
  }

  package func find(id: UUID) throws(HoldfastError) -> StoredFiles? {
    let recording = try fetch(RecordingRow.with(id))
    if let recording = recording.first { return recording }
    return try photos("WHERE id = ?", [id.uuidString]).first
  }

  /// Whether a recording or a photo has this ID.
  package func contains(id: UUID) throws(HoldfastError) -> Bool {
    if try catalog.recordings.contains(id: id) { return true }
    return try read { db in
      try db.photoTables(registry).contains { table in
        try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE id = ?)",
          arguments: [id.uuidString]) == true
      }
    }
  }

  /// Returns the stored data about the files of recordings and photos whose file has this hash.
  package func matching(sha256 hash: SHA256Digest) throws(HoldfastError) -> [StoredFiles] {
    typealias Columns = RecordingRow.Columns
    return try fetch(
      RecordingRow.filter(Columns.fileSHA256 == hash.hexadecimal).order(Columns.id))
      + photos("WHERE fileSHA256 = ? ORDER BY id", [hash.hexadecimal])
  }

  /// Returns the photos whose IDs follow `first`, up to and including `last`; all that follow
  /// without a `last`.
  package func photos(
    after first: String?, through last: String?
  ) throws(HoldfastError) -> [StoredFiles] {
    // "G" sorts after every UUID.
    try photos("WHERE id > ? AND id <= ? ORDER BY id", [first ?? "", last ?? "G"])
  }

  /// Returns the photos of all kinds that a clause of SQL selects.
  func photos(
    _ clause: String = "ORDER BY id", _ arguments: [any DatabaseValueConvertible] = []
  ) throws(HoldfastError) -> [StoredFiles] {
    try read { db in
      try db.photoTables(registry).flatMap { table in
        try Row.fetchAll(
          db, sql: "SELECT * FROM \(table) \(clause)", arguments: StatementArguments(arguments)
        ).map(StoredFiles.init(photo:))
      }
    }
  }

  private func fetch(
    _ request: QueryInterfaceRequest<RecordingRow>
  ) throws(HoldfastError) -> [StoredFiles] {
    let rows = request.select(StoredFiles.columns).asRequest(of: Row.self)
    return try read { db in try rows.fetchAll(db).map(StoredFiles.init(row:)) }
  }

  /// Returns the recordings whose files should be read: first those with a known fault, then least
  /// recently read first.
  ///
  /// - Parameters:
  ///   - moment: Leaves out recordings that were verified at or after this moment, up to `now`.
  ///     `nil` leaves out nothing.
  ///   - now: The present time. A later time of verification comes from a wrong clock, and does not
  ///     leave the recording out.
  package func idsToVerify(
    notSince moment: Date?, now: Date
  ) throws(HoldfastError) -> [RecordingID] {
    var faulty = RecordList("recording", by: [.init("+verifiedAt")])
    faulty.filter("fault IS NOT NULL")
    var others = RecordList("recording", by: [.init("verifiedAt")])
    others.filter(
      "fault IS NULL AND (verifiedAt IS NULL OR verifiedAt < ? OR verifiedAt > ?)",
      .date(moment ?? .distantFuture), .date(now))
    let photos = try photos(
      "WHERE fault IS NOT NULL OR verifiedAt IS NULL OR verifiedAt < ?1 OR verifiedAt > ?2 "
        + "ORDER BY fault IS NULL, verifiedAt", [moment ?? .distantFuture, now])
    // IDs are read as text: an invalid ID is a finding elsewhere, and no reason to stop here.
    let ids = try catalog.recordings.ids(of: faulty) + catalog.recordings.ids(of: others)
    return ids.compactMap(UUID.init(uuidString:)) + photos.map(\.id)
  }

  package func verificationState() throws(HoldfastError) -> VerificationState {
    try read { db in
      guard let row = try Row.fetchOne(db, sql: Self.verificationFigures) else {
        return VerificationState(oldest: nil, unverified: 0, faulty: 0)
      }
      return VerificationState(
        oldest: try row.optionalValue(Column("oldest")), unverified: row["unverified"],
        faulty: row["faulty"])
    }
  }

  // "+" makes SQLite read the few faulty recordings, and not all unverified ones.
  private static let verificationFigures = """
    SELECT (SELECT min(verifiedAt) FROM recording WHERE fault IS NULL) AS oldest,
      (SELECT count(*) FROM recording WHERE verifiedAt IS NULL)
        - (SELECT count(*) FROM recording
          WHERE fault IS NOT NULL AND faultySince > '' AND +verifiedAt IS NULL) AS unverified,
      (SELECT count(*) FROM recording WHERE fault IS NOT NULL AND faultySince > '') AS faulty
    """

  package func faultyCount() throws(HoldfastError) -> (recordings: Int, photos: Int) {
    (
      try read { try RecordingRow.filter(sql: "fault IS NOT NULL").fetchCount($0) },
      try photos("WHERE fault IS NOT NULL").count
    )
  }

  /// Returns the files that are known to be missing or damaged, without rows that cannot be read.
  package func faulty() throws(HoldfastError) -> [StoredFiles] {
    let request = RecordingRow.filter(sql: "fault IS NOT NULL").select(StoredFiles.columns)
    return try read { db in
      try request.asRequest(of: Row.self).fetchAll(db).compactMap { try? StoredFiles(row: $0) }
    } + photos("WHERE fault IS NOT NULL")
  }

  /// Whether any recording's media file, or any photo, has this size in bytes.
  package func contains(size: Int64) throws(HoldfastError) -> Bool {
    if try !read(RecordingRow.filter(RecordingRow.Columns.fileSize == size).isEmpty) { return true }
    return try !photos("WHERE fileSize = ? LIMIT 1", [size]).isEmpty
  }

  /// Records that every byte of these recordings' files was read and is correct.
  package func setVerified(_ ids: [RecordingID], at moment: Date) throws(HoldfastError) {
    try write { db in
      for id in ids {
        try setState(
          "verifiedAt = ?, fault = NULL, faultySince = NULL", to: [moment.roundedToMillisecond],
          of: id, db)
      }
    }
  }

  package func clearFault(of id: RecordingID) throws(HoldfastError) {
    try write { db in try setState("fault = NULL, faultySince = NULL", of: id, db) }
  }

  /// Records the faults and their times, unless a time is stored already.
  package func setFaults(
    _ faults: [RecordingID: RecordingFault], at moment: Date
  ) throws(HoldfastError) {
    try write { db in
      for (id, fault) in faults {
        try setState(
          "fault = ?, faultySince = coalesce(faultySince, ?)",
          to: [fault.rawValue, moment.roundedToMillisecond], of: id, db)
      }
    }
  }

  /// Sets columns of a recording's row, or of a photo's.
  private func setState(
    _ columns: String, to values: StatementArguments = [], of id: UUID, _ db: Database
  ) throws {
    try db.setColumns(columns, to: values, of: id)
    guard db.changesCount == 0 else { return }
    for table in try db.photoTables(registry) {
      try db.execute(
        sql: "UPDATE \(table) SET \(columns) WHERE id = ?", arguments: values + [id.uuidString])
    }
  }

  /// Records that a recording's media file was remade.
  ///
  /// This clears its fault and deletes its sound profile. Nothing else changes.
  package func setHash(
    _ hash: SHA256Digest, size: Int64, of id: RecordingID
  ) throws(HoldfastError) {
    try write { db in
      try db.setCompactionDue(
        ifReplacing: [("fileSHA256", hash.hexadecimal.databaseValue)], in: "recording",
        where: "id", is: id.uuidString)
      try db.setColumns(
        "fileSHA256 = ?, fileSize = ?, fault = NULL, faultySince = NULL",
        to: [hash.hexadecimal, size], of: id)
      try db.execute(sql: "DELETE FROM sound WHERE recordingId = ?", arguments: [id.uuidString])
    }
  }

  /// Corrects a recording's presented duration, in seconds. Nothing else changes.
  package func setDuration(_ duration: Double, of id: RecordingID) throws(HoldfastError) {
    try write { db in try db.setColumns("duration = ?", to: [duration], of: id) }
  }

  package func fillCodecs(_ found: [RecordingID: CodecStrings]) throws(HoldfastError) {
    try write { db in
      for (id, codecs) in found { try codecs.fill(db, of: id) }
    }
  }

  /// Gives a recording the paths that follow from its ID and type.
  ///
  /// If another recording's row has that file, its paths are reset too, in the same transaction.
  /// That happens when the paths of two recordings were exchanged.
  package func resetPaths(of id: RecordingID) throws(HoldfastError) {
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
          // A temporary path that no recording has, until it is this one's turn.
          try db.setColumns(
            "filePath = ?", to: ["\(RelativePath.root)/\(holder.uuidString)"], of: holder)
          ids.append(holder)
        }
        try db.setCompactionDue()
        try db.setColumns(
          "filePath = ?, thumbnailPath = ?",
          to: [path, type == .video ? RelativePath.thumbnail(id: id).string : nil], of: id)
      }
    }
  }

  package func state(id: RecordingID) throws(HoldfastError) -> RecordingFileState? {
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

extension Database {
  /// Returns the tables of the kinds of photos that the catalog has.
  func photoTables(_ registry: Registry) throws -> [String] {
    guard registry.hasPhotos else { return [] }
    return try JournalState(of: self, registry.journals).kinds.filter(\.isPhoto).map(\.table)
  }
}

extension CodecStrings {
  /// Writes the codecs to a recording's row, where none are stored yet.
  func fill(_ db: Database, of id: RecordingID) throws {
    try db.setColumns(
      "videoCodec = coalesce(videoCodec, ?), audioCodec = coalesce(audioCodec, ?)",
      to: [video, audio], of: id)
  }
}
