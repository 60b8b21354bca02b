import Foundation
import GRDB
package import HoldfastModel

extension CatalogMerge {
  /// Returns this library's matches for recordings of another library.
  ///
  /// A match has the same ID, or one of the other recording's former IDs. Otherwise it was made
  /// from the same part of the same source, and one of the two files covers the other. If a source
  /// was imported several times, each of the recordings is matched with one of the other library's,
  /// in the order of their IDs.
  ///
  /// - Returns: The match of each candidate; `nil` if this library has none.
  package func matches(
    of candidates: [MergeCandidate]
  ) throws(HoldfastError) -> [MergeCandidate?] {
    try readingAtOnce { db, otherDB in
      try db.matches(of: candidates, in: otherDB).map { id in
        var match = try id.flatMap { try MergeCandidate.find($0, db) }
        match?.readConversion()
        return match
      }
    }
  }

  /// Returns the path and the SHA-256 of the recordings that ``matches(of:)`` finds, as far as this
  /// library's rows can be read; `nil` without a match.
  package func files(
    matching candidates: [MergeCandidate]
  ) throws(HoldfastError) -> [(path: RelativePath?, hash: SHA256Digest?)?] {
    try readingAtOnce { db, otherDB in
      let ids = candidates.map(\.id.uuidString)
      let own = try db.files(of: ids)
      let files = ids.map { own[$0] }
      let others = zip(candidates, files).filter { $0.1 == nil }.map(\.0)
      guard !others.isEmpty else { return files }
      let matches = try db.matches(of: others, in: otherDB)
      let known = try db.files(of: matches.compactMap(\.self))
      let matched = Dictionary(
        zip(others.map(\.id), matches).compactMap { id, match in
          match.flatMap { known[$0] }.map { (id, $0) }
        }, uniquingKeysWith: { first, _ in first })
      return zip(candidates, files).map { candidate, file in file ?? matched[candidate.id] }
    }
  }

  /// Reads both catalogs, each in one transaction, so that SQLite locks each file only once.
  private func readingAtOnce<Value>(
    _ body: (Database, Database) throws -> Value
  ) throws(HoldfastError) -> Value {
    try own.read { db in
      try db.atOnce {
        // A defect in a row is this catalog's: the other's rows were read before.
        try other.read { otherDB in Result { try otherDB.atOnce { try body(db, otherDB) } } }.get()
      }
    }
  }
}

extension Database {
  fileprivate func atOnce<Value>(_ body: () throws -> Value) throws -> Value {
    try beginTransaction(.deferred)
    do {
      let value = try body()
      try commit()
      return value
    } catch {
      try? rollback()
      throw error
    }
  }

  fileprivate func files(
    of ids: [String]
  ) throws -> [String: (path: RelativePath?, hash: SHA256Digest?)] {
    let rows = try Row.fetchCursor(
      cachedStatement(
        sql: """
          SELECT id, filePath, fileSHA256 FROM recording
          WHERE id IN (SELECT value FROM json_each(?))
          """), arguments: [jsonList(ids)])
    var files: [String: (path: RelativePath?, hash: SHA256Digest?)] = [:]
    while let row = try rows.next() {
      files[try row.value(RecordingRow.Columns.id)] = (
        RelativePath(try row.value(RecordingRow.Columns.filePath)),
        SHA256Digest(hexadecimal: try row.value(RecordingRow.Columns.fileSHA256))
      )
    }
    return files
  }

  fileprivate func matches(
    of candidates: [MergeCandidate], in other: Database
  ) throws -> [String?] {
    let known = try indicesOfKnown(candidates)
    return try candidates.indices.map { index in
      known.contains(index) ? try match(of: candidates[index], in: other) : nil
    }
  }

  /// Returns the indices of the recordings of another catalog that this one has, or may have.
  ///
  /// Most of another library's recordings are new, and one statement finds that out for all of
  /// them.
  fileprivate func indicesOfKnown(_ candidates: [MergeCandidate]) throws -> Set<Int> {
    func indices(_ values: [String], _ condition: String) throws -> [Int] {
      try Int.fetchAll(
        cachedStatement(sql: "SELECT key FROM json_each(?) AS item WHERE \(condition)"),
        arguments: [jsonList(values)])
    }
    return try Set(candidates.indices.filter { !candidates[$0].aliases.isEmpty })
      .union(
        indices(
          candidates.map(\.id.uuidString),
          """
          EXISTS (SELECT 1 FROM recording WHERE id = item.value)
          OR EXISTS (SELECT 1 FROM alias WHERE id = item.value)
          """)
      ).union(
        indices(
          candidates.map(\.version.recording.ingestion.sourceSHA256.hexadecimal),
          "EXISTS (SELECT 1 FROM recording WHERE sourceSHA256 = item.value)"))
  }

  fileprivate func match(of candidate: MergeCandidate, in other: Database) throws -> String? {
    for id in [candidate.id] + candidate.aliases {
      guard let own = try recording(knownAs: id.uuidString) else { continue }
      if try own == candidate.id.uuidString
        || other.match(ofNames: names(of: own), own) == candidate.id.uuidString
      {
        return own
      }
    }
    return try twin(of: candidate, in: other)
  }

  /// Returns the recording that has one of another recording's IDs. Several stay apart: the one
  /// with the main ID counts, else the first.
  private func match(ofNames names: [String], _ id: String) throws -> String? {
    let found = try Set(names.compactMap { try recording(knownAs: $0) })
    return found.contains(id) ? id : found.min()
  }

  func names(of id: String) throws -> [String] {
    try [id]
      + String.fetchAll(
        cachedStatement(sql: "SELECT id FROM alias WHERE recordingId = ?"), arguments: [id])
  }

  private func twin(of candidate: MergeCandidate, in other: Database) throws -> String? {
    let source = candidate.version.recording.ingestion
    let own = try recordings(ofSource: source)
    guard !own.isEmpty else { return nil }
    var free = try own.filter { try !other.knowsAny(of: $0, in: self) }
      .compactMap { try fileVersion(of: $0) }
    let others = try other.recordings(ofSource: source).filter { try !knowsAny(of: $0, in: other) }
    // Each gets the first match that is left, so both libraries find the same pairs.
    for id in others {
      guard !free.isEmpty, let version = try other.fileVersion(of: id) else { continue }
      let place = free.firstIndex { FileComparison($0, version).canBecomeOne }
      if id == candidate.id.uuidString { return place.map { free[$0].id.uuidString } }
      if let place { free.remove(at: place) }
    }
    return nil
  }

  /// Returns a recording with its conversion; `nil` if its row cannot be read.
  private func fileVersion(of id: String) throws -> Recording? {
    do {
      var candidate = try MergeCandidate.find(id, self)
      candidate?.readConversion()
      return candidate?.version.recording
    } catch is RowDefect {
      return nil
    }
  }

  /// Returns whether this catalog has a recording of the other one, under any of its IDs.
  func knowsAny(of id: String, in other: Database) throws -> Bool {
    try other.names(of: id).contains { try recording(knownAs: $0) != nil }
  }

  /// Returns the recordings of the same part of the same source, in the order of their IDs.
  func recordings(ofSource source: Ingestion) throws -> [String] {
    try String.fetchAll(
      cachedStatement(
        sql: """
          SELECT id FROM recording WHERE sourceSHA256 = ? AND part = ? AND partCount = ? ORDER BY id
          """),
      arguments: [source.sourceSHA256.hexadecimal, source.part, source.partCount])
  }

  private func hasRecording(_ id: String) throws -> Bool {
    try Bool.fetchOne(
      cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM recording WHERE id = ?)"), arguments: [id])
      ?? false
  }

  /// Returns the ID of the recording that has this ID, or had it before a merge.
  func recording(knownAs id: String) throws -> String? {
    if try hasRecording(id) { return id }
    return try String.fetchOne(
      cachedStatement(sql: "SELECT recordingId FROM alias WHERE id = ?"), arguments: [id])
  }
}

func jsonList(_ values: [String]) -> String {
  "[" + values.map { "\"\($0)\"" }.joined(separator: ",") + "]"
}
