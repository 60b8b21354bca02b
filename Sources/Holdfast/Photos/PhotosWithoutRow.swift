import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

extension LibraryTree {
  /// Finds the photos' files that no row names, as after a rebuild.
  func forEachPhoto(
    withoutRowIn catalog: Catalog, _ body: (UUID, ScannedEntry) throws -> Void
  ) throws {
    try contents.scanPhotos { entry in
      guard entry.kind == .regular, let id = entry.path?.ownerID,
        entry.path == .photo(id: id), try !catalog.files.contains(id: id)
      else { return }
      try body(id, entry)
    }
  }
}

extension Library {
  /// Deletes the photos' files that no row names. A journal that is erased may have lost their
  /// rows.
  func deletePhotosWithoutRow(under lock: borrowing WriterLock) throws {
    // The rows of a journal that the program does not know cannot be read.
    guard try catalog.journals.unknown().isEmpty else { return }
    var ids: [UUID] = []
    try tree.forEachPhoto(withoutRowIn: catalog) { id, _ in ids.append(id) }
    for id in ids { try deletePhotos([id], under: lock) {} }
  }
}
