import Foundation
import GRDB
import HoldfastModel

extension DataImport {
  /// Updates the recordings that the catalog has, and reports the others as having no file.
  mutating func importRecordings(
    _ elements: [DocumentElement<RecordingDocument>]
  ) throws {
    let documents = try values(of: elements)
    if case .document = origin { namesakes = try namesakes(among: documents.map(\.value)) }
    let matches = try matches(of: documents.map(\.value), named: namedIDs(elements))
    // In the document's order, and each of the catalog's recordings once.
    var merged: [RecordingID: (index: Int, value: RecordingDocument)] = [:]
    var order: [RecordingID] = []
    var aliases: [RecordingID: [RecordingID]] = [:]
    for (index, document) in documents {
      guard let id = matches[document.id] else {
        report.count(.recordings, \.noFile)
        report.items.append(
          .noFile(
            id: document.id, name: document.recording.ingestion.originalFilename.cut(to: 120)))
        continue
      }
      if id != document.id {
        twins[document.id] = id
        if try db.recording(knownAs: document.id) == nil { joined.insert(id) }
        aliases[id, default: []].append(document.id)
      }
      if let other = merged[id] {
        report.count(.recordings, \.unchanged)
        merged[id] = (other.index, other.value.newer(document))
      } else {
        merged[id] = (index, document)
        order.append(id)
      }
    }
    own = Set(order)
    for id in order {
      guard let (index, document) = merged[id] else { continue }
      if try !update(id, document, knownAs: aliases[id] ?? [], at: index) {
        refuseNotes(of: document, id, at: index)
      }
    }
  }

  /// Returns the recordings whose ID another recording has here.
  private func namesakes(among documents: [RecordingDocument]) throws -> Set<RecordingID> {
    Set(
      try documents.filter { document in
        guard let id = try db.recording(knownAs: document.id),
          let row = try RecordingRow.with(id).fetchOne(db)
        else { return false }
        return !row.value.isSameRecording(as: document.recording)
      }.map(\.id))
  }

  /// Returns the IDs that the document names, including those of records that cannot be imported.
  private func namedIDs(_ elements: [DocumentElement<RecordingDocument>]) -> Set<RecordingID> {
    Set(
      elements.lazy.compactMap { element in
        switch element {
        case .value(let document): document.id
        case .refused(let id, _): id.flatMap(UUID.init(uuidString:))
        }
      })
  }

  /// Matches the document's recordings with the catalog's, by the document's IDs.
  ///
  /// A recording with the same ID, or that had it, comes first. Next comes one of the same part of
  /// the same source that the document does not name itself; if there are several, one with the
  /// same file, else the first by ID. Last comes one with the same file. Each of the catalog's
  /// recordings is matched once; recordings left over in the document have no file.
  private func matches(
    of documents: [RecordingDocument], named: Set<RecordingID>
  ) throws -> [RecordingID: RecordingID] {
    var matches: [RecordingID: RecordingID] = [:]
    for document in documents where !namesakes.contains(document.id) {
      guard let own = try db.recording(knownAs: document.id) else { continue }
      // The document may have both, because they became one only here.
      if own == document.id || !named.contains(own) { matches[document.id] = own }
    }
    var matched = Set(try named.compactMap { try db.recording(knownAs: $0) })
    let others = documents.sorted { $0.id.uuidString < $1.id.uuidString }
    let tests: [(RecordingID, RecordingDocument) throws -> Bool] = [
      { id, document in try recordings(withFileOf: document).contains(id) },
      { _, _ in true },
    ]
    for fits in tests {
      for document in others where matches[document.id] == nil {
        let twins = try db.recordings(ofSource: document.recording.ingestion)
          .compactMap(UUID.init(uuidString:))
        guard let twin = try twins.first(where: { try !matched.contains($0) && fits($0, document) })
        else { continue }
        matches[document.id] = twin
        matched.insert(twin)
      }
    }
    for document in others where matches[document.id] == nil {
      let copies = try recordings(withFileOf: document)
      guard let copy = copies.first(where: { !matched.contains($0) }) else { continue }
      matches[document.id] = copy
      matched.insert(copy)
    }
    return matches
  }

  /// Returns the recordings whose files have the same bytes, in the order of their IDs.
  private func recordings(withFileOf document: RecordingDocument) throws -> [RecordingID] {
    try String.fetchAll(
      db.cachedStatement(sql: "SELECT id FROM recording WHERE fileSHA256 = ? ORDER BY id"),
      arguments: [document.recording.ingestion.fileSHA256.hexadecimal]
    ).compactMap(UUID.init(uuidString:))
  }

  /// Whether a recording follows the app that it came from, because it was not edited here. One
  /// that was joined with another has the words of both, and keeps them.
  private func follows(_ recording: Recording, _ document: RecordingDocument) throws -> Bool {
    guard case .app(_, let app) = origin, app.own.contains(recording.id),
      recording.modifiedAt == document.modifiedAt
    else { return false }
    return try Bool.fetchOne(
      db, sql: "SELECT NOT EXISTS (SELECT 1 FROM alias WHERE recordingId = ?)",
      arguments: [recording.id.uuidString]) == true
  }

  /// Updates a recording.
  ///
  /// If it was not known until now that the document means it, words that were typed here are not
  /// an older version of the document's.
  ///
  /// - Parameter former: Other IDs under which the document has it.
  /// - Returns: `false`, with nothing written, if the notes of both are too long to keep together.
  private mutating func update(
    _ id: RecordingID, _ document: RecordingDocument, knownAs former: [RecordingID], at index: Int
  ) throws -> Bool {
    guard var row = try RecordingRow.with(id).fetchOne(db) else { return true }
    let before = row.value
    row.value = RecordingDocument(before).countingAlso(document).recording
    let recording = document.recording
    var unseen: Set<RecordingID>?
    if case .document = origin, var own = try MergeCandidate.find(id.uuidString, db)?.version {
      own.recording = row.value
      guard let merged = own.recording(withWordsOf: .init(recording)) else { return false }
      (row.value, unseen) = (merged.recording, merged.unseenIDs)
    } else if joined.contains(id) {
      guard let joined = row.value.joined(with: recording) else { return false }
      row.value = joined
    } else if document.isNewer(than: RecordingDocument(before)) {
      // Only this library may know the words of a recording that became one with the document's.
      let names = try db.names(of: id.uuidString)
      guard
        let updated = row.value.updated(
          by: recording, keepingNotes: names != [document.id.uuidString])
      else { return false }
      row.value = updated
    } else if try follows(before, document) {
      row.value.title = recording.title?.nonBlank ?? before.title
      row.value.notes = recording.notes?.nonBlank ?? before.notes
      row.value.purpose = recording.purpose
      // An app's moment without a zone is read in that of this machine, which may have travelled.
      if recording.recorded.date != before.recorded.date {
        row.value.recorded = recording.recorded
      }
    } else if before.modifiedAt == nil, recording.modifiedAt == nil {
      // Neither was edited, but an import may have set a title and notes.
      row.value.title = before.title ?? recording.title?.nonBlank
      row.value.notes = before.notes ?? recording.notes?.nonBlank
    }
    // The next import finds it by its former IDs, whatever was edited or imported since.
    if !isDryRun {
      try db.addAliases(former, of: id.uuidString)
      if let unseen { try db.setUnseen(unseen, of: id.uuidString) }
    }
    // An app counts its own plays, besides those here.
    var counter = document.id
    if case .app(_, let app) = origin, let own = app.counters[document.id] {
      counter = own
      let known = try db.plays(of: id.uuidString, countedBy: own.uuidString) ?? 0
      row.value.playCount = before.playCount + max(0, recording.playCount - known)
    }
    let added = try unknownPlays(of: document, id)
    if before.playCount + added <= RecordingRow.mostPlays {
      row.value.playCount = max(row.value.playCount, before.playCount + added)
    }
    if !isDryRun, case .app(_, let app) = origin, !app.isFromHoldfast,
      try follows(before, document)
    {
      let last = try db.appVersion(of: .recordings, id.uuidString)
      try setAppVersion(of: .recordings, id.uuidString, now, after: last)
    }
    guard row.value != before else {
      report.count(.recordings, \.unchanged)
      return true
    }
    report.change(.recordings, id.uuidString, isNew: false)
    report.remark(on: RecordingDocument(row.value), at: index, id: id.uuidString, now: now)
    guard !isDryRun else { return true }
    if added > 0 {
      try db.completePlays(of: id.uuidString)
      try db.setPlays(document.plays ?? [], of: id.uuidString)
    }
    typealias Columns = RecordingRow.Columns
    try row.update(
      db,
      columns: [
        Columns.title, Columns.notes, Columns.purpose, Columns.timestamp, Columns.timestampOffset,
        Columns.timestampSource, Columns.playCount, Columns.lastPlayedAt, Columns.modifiedAt,
        Columns.searchText,
      ])
    if row.value.playCount > before.playCount {
      try db.completePlays(of: id.uuidString, countedBy: counter.uuidString)
    }
    return true
  }

  /// Returns how many of the plays that the document's library knows are not counted here.
  private func unknownPlays(of document: RecordingDocument, _ id: RecordingID) throws -> Int {
    guard let plays = document.plays, !plays.isEmpty else { return 0 }
    let known = try db.plays(ofRecordings: id.uuidString...id.uuidString)[id.uuidString] ?? []
    return plays.reduce(0) { sum, counted in
      let count = known.first { $0.replica == counted.replica }?.count ?? 0
      return sum + max(0, counted.count - count)
    }
  }

  private mutating func refuseNotes(
    of document: RecordingDocument, _ id: RecordingID, at index: Int
  ) {
    report.count(.recordings, \.refused)
    report.items.append(
      .refused(
        .recordings, index: index, id: document.id.uuidString,
        reason: "its notes and those of the recording \(id.short) here have more than "
          + "\(Recording.longestNotes) characters together; shorten one of them"))
  }
}
