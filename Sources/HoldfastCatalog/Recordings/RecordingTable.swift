import Foundation
import GRDB
package import HoldfastModel

/// The recordings of a catalog.
///
/// A recording keeps the IDs that it had before a merge. An ID from outside may be one of them.
package struct RecordingTable: CatalogPart {
  let catalog: Catalog

  /// Inserts rows for `recordings`: all of them or none.
  ///
  /// - Parameter recordings: Recordings whose files are complete and durable.
  package func insert(
    _ recordings: [Recording], thumbnails: [RecordingID: ThumbnailRecord] = [:],
    remembering source: SeenSource? = nil
  ) throws(HoldfastError) {
    try write { db in
      try Self.insert(recordings, thumbnails: thumbnails, in: db)
      try source?.save(db)
    }
  }

  /// Inserts recordings together with records that name them, in one transaction.
  package func insert(
    _ recordings: [Recording], thumbnails: [RecordingID: ThumbnailRecord],
    remembering source: SeenSource? = nil, and records: (any RecordDatabase) throws -> Void
  ) throws {
    try catalog.records.run(records) { [catalog] records in
      try catalog.write { db in
        try Self.insert(recordings, thumbnails: thumbnails, in: db)
        try source?.save(db)
        try records(db)
      }
    }
  }

  static func insert(
    _ recordings: [Recording], thumbnails: [RecordingID: ThumbnailRecord], in db: Database
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
  /// - Parameter spoken: The UUIDs of the recordings in which the words of the search were said.
  package func matching(
    _ query: RecordingQuery, spoken: [String] = []
  ) throws(HoldfastError) -> [Recording] {
    var recordings: [Recording] = []
    var ids = try ids(of: query.list(spoken: spoken), limit: query.limit, offset: query.offset)[...]
    while !ids.isEmpty {
      let page = ids.prefix(Catalog.longestPage)
      ids = ids.dropFirst(page.count)
      let found = Dictionary(
        try fetch(RecordingRow.filter(page.contains(RecordingRow.Columns.id)))
          .map { ($0.id.uuidString, $0) }, uniquingKeysWith: { first, _ in first })
      recordings += page.compactMap { found[$0] }
    }
    return recordings
  }

  /// Returns how many recordings match `query`. Its limit and offset are ignored.
  package func count(
    matching query: RecordingQuery, spoken: [String] = []
  ) throws(HoldfastError) -> Int {
    try read { db in
      try query.list(spoken: spoken).rows(
        selecting: "count(*) AS count", in: CatalogDatabase(db: db, kinds: [], name: name))
    }.first?["count"].integer ?? 0
  }

  package func find(id: RecordingID) throws(HoldfastError) -> Recording? {
    try read(RecordingRow.with(id).fetchOne)?.value
  }

  /// Returns the recording that has this ID, or had it before a merge.
  package func find(knownAs id: RecordingID) throws(HoldfastError) -> Recording? {
    try read { db in
      try db.recording(knownAs: id).flatMap { try RecordingRow.with($0).fetchOne(db)?.value }
    }
  }

  /// Returns those of some recordings of an app that it once gave this library, and that were
  /// deleted here.
  package func deleted(
    among ids: [RecordingID]
  ) throws(HoldfastError) -> Set<RecordingID> {
    try read { db in
      let imported = try db.appVersions(of: .recordings)
      return try Set(
        ids.filter { id in
          try imported[id.uuidString] != nil && db.recording(knownAs: id) == nil
        })
    }
  }

  /// Whether there is a row for this ID, readable or not.
  package func contains(id: RecordingID) throws(HoldfastError) -> Bool {
    try !read(RecordingRow.with(id).isEmpty)
  }

  /// Returns the recordings whose ID begins with `prefix`, in the order of their IDs. If there are
  /// none, it returns those with a former ID that does.
  ///
  /// - Parameters:
  ///   - prefix: Hexadecimal digits in either case, and dashes in their places. Any other prefix,
  ///     and an empty one, matches nothing.
  ///   - limit: The most recordings to return. Two are enough to tell whether the prefix is
  ///     ambiguous.
  package func matching(
    idPrefix prefix: String, limit: Int
  ) throws(HoldfastError) -> [Recording] {
    guard let range = Self.range(ofIDPrefix: prefix) else { return [] }
    let id = RecordingRow.Columns.id
    let recordings = try fetch(
      RecordingRow.filter(id >= range.lowerBound && id < range.upperBound).order(id)
        .limit(max(limit, 0)))
    guard recordings.isEmpty else { return recordings }
    let ids = try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT recordingId FROM alias WHERE id >= ? AND id < ?
          ORDER BY recordingId LIMIT ?
          """, arguments: [range.lowerBound, range.upperBound, max(limit, 0)])
    }
    return try fetch(RecordingRow.filter(ids.contains(id)).order(id))
  }

  /// Returns a page of IDs, in their order, including those of rows that cannot be read.
  ///
  /// - Parameter key: The last ID of the page before, as it is stored.
  package func ids(
    after key: String?, limit: Int = Catalog.longestPage
  ) throws(HoldfastError) -> [String] {
    let request = RecordingRow.page(after: key, limit: limit)
    return try read(request.select(RecordingRow.Columns.id, as: String.self).fetchAll)
  }

  func ids(
    of list: RecordList, limit: Int? = nil, offset: Int = 0
  ) throws(HoldfastError) -> [String] {
    try read { db in
      try list.ids(
        limit: limit, offset: offset, in: CatalogDatabase(db: db, kinds: [], name: name))
    }.compactMap(\.text)
  }

  private func fetch(
    _ request: QueryInterfaceRequest<RecordingRow>
  ) throws(HoldfastError) -> [Recording] {
    try read(request.fetchAll).map(\.value)
  }

  /// Returns the range of the UUIDs that begin with `prefix`, in the order of a primary key's
  /// index; `nil` if a UUID cannot begin with it.
  private static func range(ofIDPrefix prefix: String) -> Range<String>? {
    let isPlausible = prefix.unicodeScalars.allSatisfy {
      $0 == "-" || ($0.isASCII && $0.properties.isASCIIHexDigit)
    }
    guard !prefix.isEmpty, isPlausible else { return nil }
    let first = prefix.uppercased()
    // "G" sorts after every character of an ID.
    return first..<(first + "G")
  }

  /// Returns the only recording that was made from a file of this name; `nil` if there are several.
  package func find(fromOnlyFileNamed name: String) throws(HoldfastError) -> Recording? {
    let rows = try read(
      RecordingRow.filter(RecordingRow.Columns.originalFilename == name).limit(2).fetchAll)
    return rows.count == 1 ? rows[0].value : nil
  }

  /// Returns the recording that was made from a source with this hash, or whose own file has this
  /// hash: the first part, if there are several.
  package func find(ofSource hash: SHA256Digest) throws(HoldfastError) -> Recording? {
    let isKnown =
      RecordingRow.Columns.sourceSHA256 == hash.hexadecimal
      || RecordingRow.Columns.fileSHA256 == hash.hexadecimal
    return try read(
      RecordingRow.filter(isKnown).order(RecordingRow.Columns.part, RecordingRow.Columns.id)
        .fetchOne)?.value
  }

  /// Returns the recordings that were made together with one from its source, in the order of the
  /// parts.
  package func parts(ofSourceOf recording: Recording) throws(HoldfastError) -> [Recording] {
    typealias Columns = RecordingRow.Columns
    let ingestion = recording.ingestion
    return try fetch(
      RecordingRow.filter(
        Columns.sourceSHA256 == ingestion.sourceSHA256.hexadecimal
          && Columns.partCount == ingestion.partCount
      ).order(Columns.part, Columns.id)
    )
  }

  /// Reads a recording, changes it, and writes its title, notes, purpose and modification time, in
  /// one transaction. Changes of anything else are not written.
  ///
  /// - Parameter change: If it throws, nothing is written.
  package func update(
    id: RecordingID, _ change: (inout Recording) throws -> Void
  ) throws -> Recording? {
    typealias Columns = RecordingRow.Columns
    // An error of `change` is passed on unchanged, not as an error of the database.
    var refusal: (any Error)?
    let recording = try write { db -> Recording? in
      guard var row = try RecordingRow.with(id).fetchOne(db) else { return nil }
      do { try change(&row.value) } catch {
        refusal = error
        return nil
      }
      try row.update(
        db,
        columns: [
          Columns.title, Columns.notes, Columns.purpose, Columns.searchText, Columns.modifiedAt,
        ])
      try db.setUnseen([], of: id.uuidString)
      return row.value
    }
    if let refusal { throw refusal }
    return recording
  }

  /// Deletes a recording's row. Cravings that it helped with stay, without their link.
  package func delete(id: RecordingID) throws(HoldfastError) {
    try write { db in
      if try RecordingRow.with(id).deleteAll(db) > 0 { try db.setCompactionDue() }
    }
  }
}

extension Database {
  func recording(knownAs id: RecordingID) throws -> RecordingID? {
    try recording(knownAs: id.uuidString).flatMap(UUID.init(uuidString:))
  }
}
