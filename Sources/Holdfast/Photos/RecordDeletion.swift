public import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

/// The deletion of a record, with the photos that belong to it.
///
/// The photos' files go into the trash first, all of them or none. Then the rows are deleted in one
/// transaction, and then the files are unlinked.
struct RecordDeletion<Value: JournalRecord> {
  let library: Library
  let id: Value.ID

  func run(under lock: borrowing WriterLock) throws {
    let records = library.catalog.records
    let photos = try records.photos(of: Value.self, id: id)
    if !photos.isEmpty { try library.refuseIfOffline("it was not deleted") }
    try library.deletePhotos(photos[...], under: lock) {
      guard try records.delete(Value.self, id: id, with: photos) else {
        throw HoldfastError.gone(Value.declaration.kind, id)
      }
    }
  }
}

extension Library {
  /// Returns the photo whose ID begins with `prefix`, if its file is missing; `nil` if there is no
  /// such photo.
  ///
  /// - Parameter prefix: The photo's UUID, or at least its first four characters.
  /// - Throws: `HoldfastError` when the ID of a recording or of another such photo begins like
  ///   that, too.
  public func lostPhoto(idPrefix prefix: String) throws -> UUID? {
    guard prefix.count >= 4 else { return nil }
    let found = try catalog.files.photos(after: nil, through: nil).map(\.id).filter { id in
      try id.uuidString.hasPrefix(prefix.uppercased())
        && tree.status(of: .photo(id: id)) == .missing
    }
    guard let photo = found.first else { return nil }
    guard found.count == 1, try catalog.recordings.matching(idPrefix: prefix, limit: 1).isEmpty
    else {
      throw HoldfastError(
        .ambiguousID, "more than one id begins with \"\(prefix.escapedForDisplay)\"",
        record: .recordings)
    }
    return photo
  }

  /// Deletes a photo, even if none of the library's files is there. Its entry stays.
  ///
  /// After the last of several deletions, call ``compactIfSmall()``.
  ///
  /// - Throws: `HoldfastError`. Nothing is changed then.
  public func deleteLostPhoto(id: UUID) throws {
    try writableTree().withWriterLock { lock in
      try deletePhotos([id], under: lock) { try catalog.records.deletePhoto(id) }
    }
  }

  /// Deletes the files of photos, and their rows.
  ///
  /// - Parameter deletingRows: Deletes the rows of all of them, in one transaction.
  func deletePhotos(
    _ ids: ArraySlice<UUID>, under lock: borrowing WriterLock, deletingRows: () throws -> Void
  ) throws {
    guard let id = ids.first else { return try deletingRows() }
    try Deletion(of: id, paths: [.photo(id: id)], in: tree).run(
      under: lock, hasRow: catalog.files.contains
    ) {
      try deletePhotos(ids.dropFirst(), under: lock, deletingRows: deletingRows)
    }
  }
}
