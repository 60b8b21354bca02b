import Foundation
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
