public import Foundation
internal import GRDB
public import HoldfastModel

extension Catalog {
  /// Returns the records that are linked to a recording, newest first, of each kind that has any.
  ///
  /// Records of a journal that the program does not know are left out.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - limit: The most records of a kind to return.
  ///   - includesPrivate: Whether private records are returned too.
  /// - Throws: ``CatalogError``, also when one of the rows cannot be read.
  public func links(
    to id: RecordingID, limit: Int, includingPrivate includesPrivate: Bool = false
  ) throws(CatalogError) -> [LinkedRecords] {
    let kinds = try read { db in try JournalState(of: db, registry.journals).kinds }
    // One more is asked for.
    let limit = min(max(limit, 0), Int(Int32.max))
    var links: [LinkedRecords] = []
    for kind in kinds {
      let found = try readIfPresent(kind.kind) { _ throws(CatalogError) in
        try read { try kind.linked(to: id, limit: limit, includingPrivate: includesPrivate, $0) }
      }
      guard let linked = found else { continue }
      links.append(linked)
    }
    return links
  }
}

extension StoredKind {
  /// Returns the records that are linked to a recording; `nil` if there are none.
  fileprivate func linked(
    to id: RecordingID, limit: Int, includingPrivate includesPrivate: Bool, _ db: Database
  ) throws -> LinkedRecords? {
    guard let link = declaration.link else { return nil }
    let shown = includesPrivate ? "" : declaration.privacy.map { " AND NOT \($0.column)" } ?? ""
    let keys = try String.fetchAll(
      db,
      sql: """
        SELECT \(declaration.key) FROM \(declaration.table) WHERE \(link.column) = ?\(shown)
        ORDER BY \(link.newest) DESC, \(declaration.key) LIMIT ?
        """, arguments: [id.uuidString, limit + 1])
    let records = try records(keys.prefix(limit), db)
    return records.isEmpty
      ? nil
      : LinkedRecords(kind: kind, role: link.role, records: records, isMore: keys.count > limit)
  }
}
