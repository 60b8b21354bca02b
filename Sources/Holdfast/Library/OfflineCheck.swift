import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

/// Detects a missing disk, so that it does not count as a deletion.
///
/// The library is offline when the catalog has recordings but none of their files is found. Files
/// that are known to be missing do not count: a verification that found others, or a merge that
/// removed them, noted that they are gone. Two kinds of operation are then put off or refused:
/// those that would count the files as lost, and those that would write files into the folder where
/// the missing disk is normally mounted.
struct OfflineCheck {
  let tree: LibraryTree
  let catalog: Catalog

  /// The message that says why nothing is done.
  var reason: String {
    "none of the recordings' files is in \(tree.path.escapedForDisplay)/\(RelativePath.root)"
  }

  /// Refuses to go on when none of the recordings' files is there.
  ///
  /// - Throws: `HoldfastError` with the code `offline`.
  func refuse(_ consequence: String) throws {
    guard try isOffline() else { return }
    throw HoldfastError(.offline, "\(consequence): \(reason)", path: tree.path)
  }

  /// Returns whether a repair may only put files back: no file in the library can be a recording's.
  ///
  /// If a file can be a recording's, the recordings may only have other names now. A repair looks
  /// for them, so it may do everything.
  ///
  /// - Parameter backups: The paths that the user gave to put files back from.
  /// - Throws: The errors of ``refuse(_:)``, if `backups` is empty.
  func mayOnlyPutBack(from backups: [String]) throws -> Bool {
    struct FileFound: Error {}
    do {
      try tree.contents.scan { entry in
        // A file counts only if its size is that of a recording: an empty mount point may hold
        // other files.
        if entry.kind == .regular, try catalog.files.contains(size: entry.identity.size) {
          throw FileFound()
        }
      }
    } catch is FileFound {
      return false
    }
    if backups.isEmpty { try refuse("nothing was repaired") }
    return try isOffline()
  }

  /// Returns whether the catalog has recordings whose files are not known to be missing, and none
  /// of these files is at its path.
  ///
  /// A file in the trash does not count as missing: its deletion was interrupted, and recovery will
  /// move it back.
  func isOffline() throws -> Bool {
    var isAnyMissing = false
    // The first file is nearly always there, so the first page has one row.
    var page = try catalog.files.page(after: nil, limit: 1)
    while let last = page.last {
      for row in page where row.fault != .missing {
        for path in [row.filePath, row.thumbnailPath].compactMap({ $0.flatMap(RelativePath.init) })
        {
          guard case .missing = try tree.status(of: path) else { return false }
          if try !tree.contents.isInTrash(path, of: row.id) { isAnyMissing = true }
        }
      }
      page = try catalog.files.page(after: last.id.uuidString)
    }
    return isAnyMissing
  }
}

extension Library {
  /// Returns whether the library has recordings and none of their files is there: they may be on a
  /// disk that is not mounted. Files that a verification found missing do not count.
  ///
  /// - Throws: `HoldfastError` when the catalog or the files cannot be read.
  public func isOffline() throws -> Bool {
    // A link to a disk is not followed.
    guard try tree.files.identity(of: RelativePath.root.utf8)?.kind == .directory else {
      return try catalog.recordings.count(matching: RecordingQuery()) > 0
    }
    return try OfflineCheck(tree: tree, catalog: catalog).isOffline()
  }

  /// Refuses to go on when none of the recordings' files is there.
  ///
  /// Call it again under the writer lock: a disk may disappear at any time.
  ///
  /// - Parameter consequence: The words for what was not done, to begin the message: "nothing was
  ///   erased".
  func refuseIfOffline(_ consequence: String) throws {
    try OfflineCheck(tree: tree, catalog: catalog).refuse(consequence)
  }
}
