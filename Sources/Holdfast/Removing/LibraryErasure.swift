import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

/// Erases everything. The mark that the catalog sets is the commit point.
///
/// An erase that is interrupted before the mark is undone. After the mark, the next command that
/// opens the library for writing finishes the erase.
struct LibraryErasure {
  let tree: LibraryTree
  let catalog: Catalog

  func run() throws {
    try tree.withWriterLock { lock in
      if let work = try tree.contents.leftovers().first(where: \.isAtWork) {
        throw HoldfastError(
          .notErasable,
          "another command, such as an import or a backup, is at work in "
            + "\(tree.path.escapedForDisplay)/\(work.path.escapedForDisplay), here or on another "
            + "computer", operation: "erase")
      }
      try OfflineCheck(tree: tree, catalog: catalog).refuse("nothing was erased")
      // If the erase is undone, its files can be made again.
      try tree.playableCopies.removeAll(under: lock)
      let id = UUID()
      let erasure = Erasure(id: id, in: tree)
      try erasure.begin(under: lock)
      do {
        try catalog.erasure.begin(id)
      } catch {
        // If the mark cannot be read, it is not known whether it was committed. Recovery finds out
        // later.
        guard let mark = try? catalog.erasure.current().map(\.uuidString) ?? "" else { throw error }
        guard mark == id.uuidString else {
          try? erasure.undo(under: lock)
          throw error
        }
      }
      do {
        try finish(id, under: lock)
      } catch {
        // The erase cannot be undone now. A plain "could not" would suggest that everything is
        // still there.
        throw HoldfastError(
          .unfinishedErasure,
          "everything is deleted, but may still be found in \(tree.path.escapedForDisplay) until "
            + "the next command that writes has finished the erasure: \(error)",
          cause: (error as? HoldfastError).map { .error($0) })
      }
    }
  }

  /// Does the part of an erase that comes after its commit. It may be run again.
  func finish(_ id: UUID, under lock: borrowing WriterLock) throws {
    // A full disk may have room for compaction only after the files are removed.
    let isCompact = (try? catalog.compaction.run()) != nil
    try Erasure(id: id, in: tree).finish(under: lock, hasRow: catalog.files.contains)
    try tree.setBackupFolder(nil, under: lock)
    if !isCompact { try catalog.compaction.run() }
    try catalog.erasure.end()
  }
}
