internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage

/// A disk that is not there is no deletion. Where the catalog has recordings and none of their files
/// is to be found, whatever would take the files for lost, or put others into the folder that the
/// disk's belongs over, is put off or refused.
extension Library {
  /// Refuses to go on when the recordings' files are not there at all.
  ///
  /// Whoever holds the writer lock asks again: a disk may go at any time.
  ///
  /// - Parameter consequence: What was not done, as the sentence's beginning: "nothing was erased".
  /// - Throws: ``LibraryError`` with the code `offline`; `CatalogError` or `StorageError` when it
  ///   cannot be told.
  func refuseIfOffline(_ consequence: String) throws {
    guard try Self.isOffline(tree, catalog) else { return }
    throw LibraryError(.offline, "\(consequence): \(Self.offlineReason(tree))", path: tree.path)
  }

  /// Whether a repair may do no more than put files back: there is no file that may be a recording's.
  /// Files that are there under other names are what a repair is for.
  ///
  /// - Parameters:
  ///   - tree: The library's files.
  ///   - backups: What a person named to put files back from.
  /// - Throws: As ``refuseIfOffline(_:)`` when there is nothing to put files back from.
  func mayOnlyPutBack(in tree: LibraryTree, from backups: [String]) throws -> Bool {
    struct FileFound: Error {}
    do {
      try tree.scan { entry in
        // A mount point may hold something of its own.
        if entry.kind == .regular, try catalog.hasRecording(fileSize: entry.identity.size) {
          throw FileFound()
        }
      }
    } catch is FileFound {
      return false
    }
    if backups.isEmpty { try refuseIfOffline("nothing was repaired") }
    return try Self.isOffline(tree, catalog)
  }

  /// Whether the catalog has recordings, and none of their files is where it says.
  ///
  /// A file that lies in the trash tells nothing: its deletion died, and it will be back.
  static func isOffline(_ tree: LibraryTree, _ catalog: Catalog) throws -> Bool {
    var isAnyMissing = false
    // Nearly always the first file is there.
    var page = try catalog.storedFiles(after: nil, limit: 1)
    while let last = page.last {
      for row in page {
        for path in [row.filePath, row.thumbnailPath].compactMap({ $0.flatMap(RelativePath.init) })
        {
          guard case .missing = try tree.status(of: path) else { return false }
          if try !tree.isInTrash(path, of: row.id) { isAnyMissing = true }
        }
      }
      page = try catalog.storedFiles(after: last.id)
    }
    return isAnyMissing
  }

  /// Why nothing is done.
  static func offlineReason(_ tree: LibraryTree) -> String {
    "none of the recordings' files is in \(tree.path.escapedForDisplay)/\(RelativePath.root)"
  }
}
