public import Foundation
internal import GRDB
public import HoldfastModel

/// Long readers read pages, so that no statement stays open while they read files. An open
/// statement makes every writer wait.
extension Catalog {
  /// The most rows that a page holds.
  public static let longestPage = 1000

  /// Returns a page of what is stored about all recordings' files, in the order of the recordings'
  /// IDs.
  ///
  /// - Parameters:
  ///   - key: The last ID of the page before, as it is stored. `nil` for the first page.
  ///   - limit: The most recordings to return. It is never more than ``longestPage``.
  /// - Returns: The page. An empty page follows the last one.
  /// - Throws: ``CatalogError``. A path that points elsewhere is not an error.
  public func storedFiles(
    after key: String?, limit: Int = longestPage
  ) throws(CatalogError) -> [StoredFiles] {
    let request = Self.rows(after: key, limit: limit).select(StoredFiles.columns)
    return try read { db in
      try request.asRequest(of: Row.self).fetchAll(db).map(StoredFiles.init(row:))
    }
  }

  /// Returns what is stored about one recording's files, or `nil` if there is no such recording.
  ///
  /// - Throws: ``CatalogError``. A path that points elsewhere is not an error.
  public func storedFiles(id: RecordingID) throws(CatalogError) -> StoredFiles? {
    let request = RecordingRow.with(id)
      .select(StoredFiles.columns)
    return try read { db in
      try request.asRequest(of: Row.self).fetchOne(db).map(StoredFiles.init(row:))
    }
  }

  /// Returns a page of recordings' IDs, in their order, including those of rows that cannot be
  /// read.
  ///
  /// - Parameters:
  ///   - key: The last ID of the page before, as it is stored. `nil` for the first page.
  ///   - limit: The most IDs to return. It is never more than ``longestPage``.
  /// - Throws: ``CatalogError`` when the catalog cannot be read.
  public func recordingIDs(
    after key: String?, limit: Int = longestPage
  ) throws(CatalogError) -> [String] {
    let request = Self.rows(after: key, limit: limit).select(
      RecordingRow.Columns.id, as: String.self)
    return try read(request.fetchAll)
  }

  private static func rows(
    after key: String?, limit: Int
  ) -> QueryInterfaceRequest<RecordingRow> {
    RecordingRow
      .filter(RecordingRow.Columns.id > (key ?? "").endOfPage)
      .order(RecordingRow.Columns.id)
      .limit(min(max(limit, 0), longestPage))
  }
}
