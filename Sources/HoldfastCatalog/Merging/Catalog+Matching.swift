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
  ) throws -> MergeCandidate? {
    let found = try read { db -> String? in
      for id in [candidate.id] + candidate.aliases {
        if let own = try db.recording(knownAs: id.uuidString) { return own }
      }
      return nil
    }
    guard let id = try found ?? twin(of: candidate, in: other) else { return nil }
    return try read { db in try Self.candidate(id, db) }
  }

  /// Returns whether a recording has this ID, or had it before a merge.
  ///
  /// - Throws: ``CatalogError`` when the catalog cannot be read.
  public func knows(_ id: String) throws(CatalogError) -> Bool {
    try read { db in try db.recording(knownAs: id) != nil }
  }

  private func twin(
    of candidate: MergeCandidate, in other: Catalog
  ) throws -> String? {
    let source = candidate.version.recording.ingestion
    let own = try recordings(ofSource: source)
    guard !own.isEmpty else { return nil }
    let free = try own.filter { try !other.knowsAny(of: $0, in: self) }
    let others = try other.recordings(ofSource: source)
      .filter { try !knowsAny(of: $0, in: other) }
    guard let place = others.firstIndex(of: candidate.id.uuidString) else { return nil }
    return free.indices.contains(place) ? free[place] : nil
  }

  /// Returns whether this catalog knows a recording of another one, by any of its IDs.
  private func knowsAny(of id: String, in other: Catalog) throws -> Bool {
    let ids = try other.read { db in
      [id]
        + (try String.fetchAll(
          db.cachedStatement(sql: "SELECT id FROM alias WHERE recordingId = ?"), arguments: [id]))
    }
    for id in ids where try knows(id) { return true }
    return false
  }

  private func recordings(ofSource source: Ingestion) throws(CatalogError) -> [String] {
    try read { db in
      try String.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT id FROM recording WHERE sourceSHA256 = ? AND part = ? AND partCount = ? ORDER BY id
            """),
        arguments: [source.sourceSHA256.hexadecimal, source.part, source.partCount])
    }
  }
}

extension Database {
  /// Returns the ID of the recording that has this ID, or had it before a merge.
  func recording(knownAs id: String) throws -> String? {
    let isOwn = try Bool.fetchOne(
      cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM recording WHERE id = ?)"), arguments: [id])
    if isOwn == true { return id }
    return try String.fetchOne(
      cachedStatement(sql: "SELECT recordingId FROM alias WHERE id = ?"), arguments: [id])
  }
}
