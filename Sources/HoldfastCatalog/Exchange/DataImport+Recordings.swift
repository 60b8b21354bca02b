internal import Foundation
internal import GRDB
internal import HoldfastModel

/// Which recording of the catalog each recording of a document is.
struct RecordingLinks {
  /// The IDs of the catalog's recordings.
  var known: Set<RecordingID> = []
  /// The catalog's recordings with the same file as a recording of the document, by the document's
  /// ID.
  var twins: [RecordingID: RecordingID] = [:]

  /// Returns the record with its link changed to the catalog's recording.
  ///
  /// That is the recording with the same ID, else the one with the same file, else none.
  func linked<Value: DeclaredRecord>(_ record: Value) -> Value {
    guard let path = Value.declaration.link?.path, let id = record[keyPath: path],
      !known.contains(id)
    else { return record }
    var record = record
    record[keyPath: path] = twins[id]
    return record
  }
}

extension DataImport {
  /// Updates the recordings that the catalog has, and reports that the catalog has no file for the
  /// others.
  mutating func takeRecordings(
    _ elements: [DocumentElement<RecordingDocument>]
  ) throws {
    // Fetched all at once, so that the statement is over before the IDs are parsed.
    let ids = try String.fetchAll(db, sql: "SELECT id FROM recording")
    links.known = Set(ids.lazy.compactMap(UUID.init(uuidString:)))
    let documents = values(of: elements).map(\.value)
    // In the document's order, and each of the catalog's recordings once.
    var matches: [RecordingID: RecordingDocument] = [:]
    var order: [RecordingID] = []
    let named = namedIDs(elements)
    for document in documents {
      guard let id = try match(document, named: named, taken: matches) else {
        report.count(.recordings, \.noFile)
        report.items.append(
          .noFile(
            id: document.id, name: document.recording.ingestion.originalFilename.cut(to: 120)))
        continue
      }
      if id != document.id { links.twins[document.id] = id }
      if let other = matches[id] {
        report.count(.recordings, \.unchanged)
        matches[id] = other.newer(document)
      } else {
        matches[id] = document
        order.append(id)
      }
    }
    for id in order { try update(id, matches[id]) }
  }

  /// Returns the IDs that the document names, including those of records that cannot be taken.
  private func namedIDs(_ elements: [DocumentElement<RecordingDocument>]) -> Set<RecordingID> {
    Set(
      elements.lazy.compactMap { element in
        switch element {
        case .value(let document): document.id
        case .refused(let id, _): id.flatMap(UUID.init(uuidString:))
        }
      })
  }

  /// Returns the catalog's recording for one of the document's: the same ID, else the same file.
  ///
  /// Several recordings may hold that file. Those that the document names itself are not
  /// considered. Of the rest it returns the first by ID that is not taken yet, else the first.
  private func match(
    _ document: RecordingDocument, named: Set<RecordingID>, taken: [RecordingID: RecordingDocument]
  ) throws -> RecordingID? {
    if links.known.contains(document.id) { return document.id }
    let copies = try String.fetchAll(
      db.cachedStatement(sql: "SELECT id FROM recording WHERE fileSHA256 = ? ORDER BY id"),
      arguments: [document.recording.ingestion.fileSHA256.hexadecimal]
    ).compactMap(UUID.init(uuidString:)).filter { !named.contains($0) }
    return copies.first { taken[$0] == nil } ?? copies.first
  }

  private mutating func update(_ id: RecordingID, _ document: RecordingDocument?) throws {
    guard let document, var row = try RecordingRow.with(id).fetchOne(db) else { return }
    let before = row.value
    row.value = RecordingDocument(before).countingAlso(document).recording
    let recording = document.recording
    if document.isNewer(than: RecordingDocument(before)) {
      row.value.title = recording.title?.nonBlank
      row.value.notes = recording.notes?.nonBlank
      row.value.purpose = recording.purpose
      row.value.recorded = recording.recorded
      row.value.modifiedAt = recording.modifiedAt
    } else if before.modifiedAt == nil, recording.modifiedAt == nil {
      // Nobody has edited either, but an import may have been given a title and notes.
      row.value.title = before.title ?? recording.title?.nonBlank
      row.value.notes = before.notes ?? recording.notes?.nonBlank
    }
    guard row.value != before else {
      report.count(.recordings, \.unchanged)
      return
    }
    report.change(.recordings, id.uuidString, isNew: false)
    guard !isDryRun else { return }
    typealias Columns = RecordingRow.Columns
    try row.update(
      db,
      columns: [
        Columns.title, Columns.notes, Columns.purpose, Columns.timestamp, Columns.timestampOffset,
        Columns.timestampSource, Columns.playCount, Columns.lastPlayedAt, Columns.modifiedAt,
        Columns.searchText,
      ])
    if row.value.playCount > before.playCount { try db.completePlays(of: id.uuidString) }
  }
}
