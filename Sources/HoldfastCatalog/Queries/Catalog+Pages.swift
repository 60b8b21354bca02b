public import Foundation
internal import GRDB
public import HoldfastModel

/// Long readers take pages, so that no statement stays open while files are read: it would keep
/// every writer waiting.
extension Catalog {
  /// The most rows that a page holds.
  public static let longestPage = 1000

  /// A page of what is stored of all recordings' files, in the order of the recordings' IDs.
  ///
  /// - Parameters:
  ///   - id: The last recording of the page before; `nil` for the first page.
  ///   - limit: How many are answered at most; never more than ``longestPage``.
  /// - Returns: The page; an empty one comes after the last.
  /// - Throws: ``CatalogError``; a path that points elsewhere is no error.
  public func storedFiles(
    after id: RecordingID?, limit: Int = longestPage
  ) throws(CatalogError) -> [StoredFiles] {
    let request = Self.rows(after: id, limit: limit).select(StoredFiles.columns)
    return try read { db in
      try request.asRequest(of: Row.self).fetchAll(db).map(StoredFiles.init(row:))
    }
  }

  /// What is stored of one recording's files; `nil` if there is no such recording.
  ///
  /// - Throws: ``CatalogError``; a path that points elsewhere is no error.
  public func storedFiles(id: RecordingID) throws(CatalogError) -> StoredFiles? {
    let request = RecordingRow.with(id)
      .select(StoredFiles.columns)
    return try read { db in
      try request.asRequest(of: Row.self).fetchOne(db).map(StoredFiles.init(row:))
    }
  }

  /// The IDs of recordings, in their order, whatever they are: those of rows that cannot be read too.
  ///
  /// - Parameters:
  ///   - id: Where the last page ended.
  ///   - limit: How many at most; no more than ``longestPage``.
  /// - Throws: ``CatalogError``.
  public func recordingIDs(
    after id: RecordingID?, limit: Int = longestPage
  ) throws(CatalogError) -> [String] {
    let request = Self.rows(after: id, limit: limit).select(
      RecordingRow.Columns.id, as: String.self)
    return try read(request.fetchAll)
  }

  private static func rows(
    after id: RecordingID?, limit: Int
  ) -> QueryInterfaceRequest<RecordingRow> {
    RecordingRow
      .filter(RecordingRow.Columns.id > (id?.uuidString ?? ""))
      .order(RecordingRow.Columns.id)
      .limit(min(max(limit, 0), longestPage))
  }
}
