public import Foundation
internal import GRDB
public import HoldfastModel

/// An export reads pages, as every long reader does, so that no statement stays open while it is
/// written.
extension Catalog {
  /// Returns a page of all recordings, in the order of their IDs.
  ///
  /// - Parameters:
  ///   - id: The last recording of the page before. `nil` for the first page.
  ///   - limit: The most recordings to return. It is never more than ``longestPage``.
  /// - Returns: The page. An empty page follows the last one.
  /// - Throws: ``CatalogError``, also when one of the rows cannot be read.
  public func recordings(
    after id: RecordingID?, limit: Int = longestPage
  ) throws(CatalogError) -> [Recording] {
    try page(RecordingRow.self, after: id, limit)
  }

  /// Returns a page of all cravings, in the order of their IDs.
  ///
  /// - SeeAlso: ``recordings(after:limit:)``
  public func cravings(
    after id: UUID?, limit: Int = longestPage
  ) throws(CatalogError) -> [Craving] {
    try page(CravingRow.self, after: id, limit)
  }

  /// Returns a page of all usage, in the order of the IDs.
  ///
  /// - SeeAlso: ``recordings(after:limit:)``
  public func usage(after id: UUID?, limit: Int = longestPage) throws(CatalogError) -> [Usage] {
    try page(UsageRow.self, after: id, limit)
  }

  /// Returns a page of all messages, in the order of their IDs.
  ///
  /// - SeeAlso: ``recordings(after:limit:)``
  public func messages(
    after id: UUID?, limit: Int = longestPage
  ) throws(CatalogError) -> [Message] {
    try page(MessageRow.self, after: id, limit)
  }

  private func page<R: CatalogRow>(
    _ type: R.Type, after id: UUID?, _ limit: Int
  ) throws(CatalogError) -> [R.Value] {
    let key = Column("id")
    return try fetch(
      R.filter(key > (id?.uuidString ?? "")).order(key)
        .limit(min(max(limit, 0), Self.longestPage)))
  }
}
