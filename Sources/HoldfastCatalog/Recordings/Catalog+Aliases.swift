public import Foundation
internal import GRDB
public import HoldfastModel

/// A recording keeps the IDs that it had before a merge. An ID from outside may be one of them.
extension Catalog {
  /// Returns the recording that has this ID, or had it before a merge.
  ///
  /// - Returns: `nil` if there is none.
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func recording(knownAs id: RecordingID) throws(CatalogError) -> Recording? {
    try read { db in
      try db.recording(knownAs: id).flatMap { try RecordingRow.with($0).fetchOne(db)?.value }
    }
  }
}

extension Database {
  /// Returns the ID of the recording that has this ID, or had it before a merge.
  func recording(knownAs id: RecordingID) throws -> RecordingID? {
    try recording(knownAs: id.uuidString).flatMap(UUID.init(uuidString:))
  }
}
