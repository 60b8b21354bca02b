import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

/// A recovery of a library's files, by the rows of its catalog.
struct LibraryRecovery {
  let tree: LibraryTree
  let catalog: Catalog
  let hashes: RecoveryHashes

  /// Recovers from operations that were interrupted. Returns `nil`, and does nothing, during an
  /// erase.
  @discardableResult
  func run(under lock: borrowing WriterLock) throws -> RecoveryReport? {
    // Recovery would bring back files that the erase has set aside.
    guard try catalog.erasure.current() == nil else { return nil }
    return try Recovery(of: tree, hasRow: catalog.files.contains, hash: hashes.hash).run(
      under: lock, isOffline: OfflineCheck(tree: tree, catalog: catalog).isOffline,
      settling: settle)
  }

  /// Updates the row of a file that was made again, if a crash came after the file was published
  /// and before its row was written.
  private func settle(_ remade: RemadeFile) throws -> Bool {
    // A file that cannot be read must not stop a command that writes. Verification will report it.
    guard let id = remade.path.recordingID, try catalog.recordings.contains(id: id),
      let file = try? tree.openForReading(remade.path), let size = try? file.identity().size,
      let hash = try? hashes.hash(of: file)
    else { return true }
    if hash == .notRead { return false }
    guard hash == .hash(remade.hash) else { return true }
    if remade.path == .thumbnail(id: id) {
      let record = remade.note.flatMap {
        try? JSONFormat.decoder.decode(ThumbnailRecord.self, from: Data($0.utf8))
      }
      try catalog.thumbnails.set([RemadeThumbnail(id: id, hash: remade.hash, record: record)])
    } else {
      try catalog.files.setHash(remade.hash, size: size, of: id)
    }
    return true
  }
}
