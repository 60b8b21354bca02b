public import Foundation
internal import GRDB
public import HoldfastModel

extension Catalog {
  /// Inserts rows for `recordings`: all of them or none.
  ///
  /// - Parameters:
  ///   - recordings: Recordings whose files are complete and durable.
  ///   - thumbnails: How their thumbnails were made, where that is known.
  ///   - source: Their source, to be remembered.
  /// - Throws: ``CatalogError``, with ``CatalogError/Code/refused`` when a row breaks a rule of the
  ///   schema.
  public func insert(
    _ recordings: [Recording], thumbnails: [RecordingID: ThumbnailRecord] = [:],
    remembering source: SeenSource? = nil
  ) throws(CatalogError) {
    try write { db in
      try Self.insert(recordings, thumbnails, db)
      try source?.save(db)
    }
  }

  static func insert(
    _ recordings: [Recording], _ thumbnails: [RecordingID: ThumbnailRecord], _ db: Database
  ) throws {
    for recording in recordings {
      try RecordingRow(recording).insert(db)
      if let record = thumbnails[recording.id] {
        try Optional(record).insert(db, of: recording.id)
      }
    }
  }

  /// Returns the recordings that match `query`, in its order.
  ///
  /// A long list is read in pages. If a recording is changed meanwhile so that its place in the
  /// order changes, it may be missing or appear twice.
  ///
  /// - Throws: ``CatalogError``, also when one of the rows cannot be read.
  public func recordings(matching query: RecordingQuery) throws(CatalogError) -> [Recording] {
    try list(query.list, limit: query.limit, offset: query.offset)
  }

  /// Returns how many recordings match `query`. Its limit and offset are ignored.
  ///
  /// - Throws: ``CatalogError`` when the catalog cannot be read.
  public func count(matching query: RecordingQuery) throws(CatalogError) -> Int {
    try read(query.matches.fetchCount)
  }

  /// Returns the recording with this ID, or `nil` if there is none.
  ///
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func recording(id: RecordingID) throws(CatalogError) -> Recording? {
    try row(RecordingRow.self, id: id)
  }

  /// Whether there is a row for this ID, readable or not.
  ///
  /// - Throws: ``CatalogError`` when the catalog cannot be read.
  public func hasRecording(id: RecordingID) throws(CatalogError) -> Bool {
    try !read(RecordingRow.with(id).isEmpty)
  }

  /// Returns the recordings whose ID begins with `prefix`, in the order of their IDs. If there are
  /// none, it returns those with another ID that does.
  ///
  /// - Parameters:
  ///   - prefix: Hexadecimal digits in either case, and dashes in their places. Any other prefix,
  ///     and an empty one, matches nothing.
  ///   - limit: The most recordings to return. Two are enough to tell whether the prefix is
  ///     ambiguous.
  /// - Throws: ``CatalogError``, also when one of the rows cannot be read.
  public func recordings(
    idPrefix prefix: String, limit: Int
  ) throws(CatalogError) -> [Recording] {
    let recordings = try rows(RecordingRow.self, idPrefix: prefix, limit: limit)
    guard recordings.isEmpty, let range = Self.range(ofIDPrefix: prefix) else { return recordings }
    let ids = try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT recordingId FROM alias WHERE id >= ? AND id < ? ORDER BY recordingId LIMIT ?
          """, arguments: [range.lowerBound, range.upperBound, max(limit, 0)])
    }
    return try fetch(
      RecordingRow.filter(ids.contains(RecordingRow.Columns.id)).order(RecordingRow.Columns.id))
  }

  /// Returns the recording that was made from a source with this hash, or whose own file has this
  /// hash.
  ///
  /// - Parameter hash: The SHA-256 of a file that may be known already.
  /// - Returns: The first part, if there are several. `nil` if the file is not known.
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func recording(ofSource hash: SHA256Digest) throws(CatalogError) -> Recording? {
    let isKnown =
      RecordingRow.Columns.sourceSHA256 == hash.hexadecimal
      || RecordingRow.Columns.fileSHA256 == hash.hexadecimal
    return try read(
      RecordingRow.filter(isKnown).order(RecordingRow.Columns.part, RecordingRow.Columns.id)
        .fetchOne)?.value
  }

  /// Reads a recording, changes it, and writes its title, notes, purpose and modification time, in
  /// one transaction. Changes of anything else are not written.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - change: Changes it. If this throws, nothing is written.
  /// - Returns: The changed recording, or `nil` if there is none.
  /// - Throws: ``CatalogError``, with ``CatalogError/Code/refused`` when the change breaks a rule of
  ///   the schema; and what `change` throws.
  public func updateRecording(
    id: RecordingID, _ change: (inout Recording) throws -> Void
  ) throws -> Recording? {
    typealias Columns = RecordingRow.Columns
    return try updateRow(RecordingRow.self, id: id, change) { row, db in
      try row.update(
        db,
        columns: [
          Columns.title, Columns.notes, Columns.purpose, Columns.searchText, Columns.modifiedAt,
        ])
    }
  }

  /// Deletes a recording's row. Cravings that it helped with stay, without their link.
  ///
  /// - Throws: ``CatalogError`` when the catalog cannot be written.
  public func deleteRecording(id: RecordingID) throws(CatalogError) {
    _ = try deleteRow(RecordingRow.self, id: id)
  }
}
