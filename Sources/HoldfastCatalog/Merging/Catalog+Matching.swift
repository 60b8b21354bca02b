internal import Foundation
internal import GRDB
internal import HoldfastModel

extension Catalog {
  /// Returns the recording that is the same as one of another library.
  ///
  /// That is the one with the same ID, or with one of the other's other IDs. Else it is one that was
  /// made from the same part of the same source. Where a source was imported several times, each of the
  /// recordings is matched with one of the other library's, in the order of their IDs.
  ///
  /// - Parameters:
  ///   - candidate: The other library's recording.
  ///   - other: The other library's catalog.
  /// - Returns: The recording; `nil` if this library has none.
  /// - Throws: ``CatalogError``.
  public func match(
    of candidate: MergeCandidate, in other: Catalog
  ) throws(CatalogError) -> MergeCandidate? {
    try matches(of: [candidate], in: other).first ?? nil
  }

  /// Returns the recordings that are the same as some of another library, as ``match(of:in:)`` does for each.
  ///
  /// - Parameters:
  ///   - candidates: The other library's recordings.
  ///   - other: The other library's catalog.
  /// - Returns: For each of them the recording; `nil` if this library has none.
  /// - Throws: ``CatalogError``.
  public func matches(
    of candidates: [MergeCandidate], in other: Catalog
  ) throws(CatalogError) -> [MergeCandidate?] {
    try readingAtOnce { db in
      try other.readingAtOnce { otherDB in
        try candidates.map { candidate in
          try db.match(of: candidate, in: otherDB).flatMap { try Self.candidate($0, db) }
        }
      }
    }
  }

  /// Reads in one transaction: SQLite locks the file once, and not for each statement.
  private func readingAtOnce<Value>(
    _ body: (Database) throws -> Value
  ) throws(CatalogError) -> Value {
    try read { db in
      try db.beginTransaction(.deferred)
      do {
        let value = try body(db)
        try db.commit()
        return value
      } catch {
        try? db.rollback()
        throw error
      }
    }
  }

  /// Returns whether a recording has this ID, or had it before a merge.
  ///
  /// - Throws: ``CatalogError`` when the catalog cannot be read.
  public func knows(_ id: String) throws(CatalogError) -> Bool {
    try read { db in try db.recording(knownAs: id) != nil }
  }
}

extension Database {
  /// Returns the ID of the recording that is the same as one of another catalog.
  fileprivate func match(of candidate: MergeCandidate, in other: Database) throws -> String? {
    for id in [candidate.id] + candidate.aliases {
      if let own = try recording(knownAs: id.uuidString) { return own }
    }
    return try twin(of: candidate, in: other)
  }

  private func twin(of candidate: MergeCandidate, in other: Database) throws -> String? {
    let source = candidate.version.recording.ingestion
    let own = try recordings(ofSource: source)
    guard !own.isEmpty else { return nil }
    let free = try own.filter { try !other.knowsAny(of: $0, in: self) }
    let others = try other.recordings(ofSource: source).filter { try !knowsAny(of: $0, in: other) }
    guard let place = others.firstIndex(of: candidate.id.uuidString) else { return nil }
    return free.indices.contains(place) ? free[place] : nil
  }

  /// Returns whether this catalog knows a recording of another one, by any of its IDs.
  private func knowsAny(of id: String, in other: Database) throws -> Bool {
    let ids =
      [id]
      + (try String.fetchAll(
        other.cachedStatement(sql: "SELECT id FROM alias WHERE recordingId = ?"), arguments: [id]))
    return try ids.contains { try recording(knownAs: $0) != nil }
  }

  private func recordings(ofSource source: Ingestion) throws -> [String] {
    try String.fetchAll(
      cachedStatement(
        sql: """
          SELECT id FROM recording WHERE sourceSHA256 = ? AND part = ? AND partCount = ? ORDER BY id
          """),
      arguments: [source.sourceSHA256.hexadecimal, source.part, source.partCount])
  }

  /// Returns the ID of the recording that has this ID, or had it before a merge.
  func recording(knownAs id: String) throws -> String? {
    let isOwn = try Bool.fetchOne(
      cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM recording WHERE id = ?)"), arguments: [id])
    if isOwn == true { return id }
    return try String.fetchOne(
      cachedStatement(sql: "SELECT recordingId FROM alias WHERE id = ?"), arguments: [id])
  }
}
