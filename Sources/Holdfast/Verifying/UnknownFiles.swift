import HoldfastCatalog
import HoldfastStorage

/// The files in `Recordings` that no row refers to.
struct UnknownFiles {
  let catalog: Catalog
  let tree: LibraryTree
  let pause: WriterPause

  func contains(_ entry: ScannedEntry) throws -> Bool {
    if try isKnown(entry) { return false }
    // The file may be in the middle of being published. Then its row is there once the lock is
    // free.
    return try pause.read {
      guard let path = entry.path else { return true }
      // A file that another computer has published is not unknown either: its row will follow.
      if let id = path.ownerID, try tree.contents.isOfOtherComputer(id) { return false }
      return try tree.status(of: path) != .missing && !isKnown(entry)
    }
  }

  /// Returns whether a row refers to this entry. It finds the row by the ID in the file's name.
  private func isKnown(_ entry: ScannedEntry) throws -> Bool {
    guard entry.kind == .regular, let path = entry.path, let id = path.ownerID,
      let files = try catalog.files.find(id: id)
    else { return false }
    return files.filePath == path.string || files.thumbnailPath == path.string
  }
}
