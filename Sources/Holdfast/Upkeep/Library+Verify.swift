internal import Glibc
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage

extension Library {
  /// Compares the library's files with its catalog, and names all that does not fit.
  ///
  /// What looks wrong is looked at once more when no writer is in the middle of a step, so that a
  /// library in use has no findings for that alone. A writer that does not come to an end is waited for
  /// once, for a few seconds; see ``VerifySummary/lockTimeout``. Nothing is changed but, by a deep verification of
  /// a library that is open for writing, when each recording was last found right; and, by a repair,
  /// what is found.
  ///
  /// - Parameters:
  ///   - options: How thoroughly.
  ///   - progress: Called after each recording that was read whole, with how many were and are to be.
  ///   - report: Takes each finding as it is made.
  /// While the recordings' files are not there at all, a repair only puts files back from what
  /// ``VerifyOptions/backups`` names: nothing else is changed, moved or marked.
  ///
  /// - Throws: When the catalog or the tree cannot be read at all; ``LibraryError`` for a repair while
  ///   the recordings' files are not there at all and no backup is named; and what `report` throws.
  public func verify(
    _ options: VerifyOptions = VerifyOptions(),
    progress: @escaping (Int, Int) -> Void = { _, _ in },
    _ report: @escaping (VerifyFinding) throws -> Void
  ) async throws -> VerifySummary {
    try await LibraryError.translating {
      var options = options
      if options.repairs {
        _ = try writableTree()
        options.onlyPutsBack = try mayOnlyPutBack(in: tree, from: options.backups)
      }
      return try await Verification(self, tree, options, progress, report).run()
    }
  }

  /// Puts back what a quarantine holds of `Recordings`, as far as nothing else is there now. Anything
  /// else in it is reported and stays.
  ///
  /// - Parameters:
  ///   - name: The name of the folder in `.quarantine`.
  ///   - report: Takes each path, escaped for display, and why it is not back; `nil` if it is.
  /// - Throws: `StorageError` when there is no such quarantine, or the system refuses.
  public func restoreQuarantine(
    named name: String, _ report: (_ path: String, _ failure: LibraryError?) throws -> Void
  ) throws {
    try LibraryError.translating {
      let tree = try writableTree()
      try tree.withWriterLock { lock in
        try tree.restore(quarantine: name, under: lock) { entry, failure in
          try report(
            entry.description,
            failure.map {
              LibraryError(LibraryError.Code(rawValue: $0.code.rawValue), $0.reason, underlying: $0)
            })
        }
      }
    }
  }

  /// Whether the catalog knows nothing of what lies in the tree.
  func isStranger(
    _ entry: ScannedEntry, in tree: LibraryTree, _ pause: WriterPause
  ) throws -> Bool {
    if try isKnown(entry) { return false }
    // Perhaps it is being published just now: then its row is there after the lock.
    return try pause.look {
      guard let path = entry.path else { return true }
      // Nor is what another computer has published: its row is still to come.
      if let id = path.recordingID, try tree.isOfOtherComputer(id) { return false }
      return try tree.status(of: path) != .missing && !isKnown(entry)
    }
  }

  /// Whether a row refers to a file that lies in the tree, by the identity in the file's name.
  private func isKnown(_ entry: ScannedEntry) throws -> Bool {
    guard entry.kind == .regular, let path = entry.path, let id = path.recordingID,
      let files = try catalog.storedFiles(id: id)
    else { return false }
    return files.filePath == path.string || files.thumbnailPath == path.string
  }
}

extension VerifyFinding {
  /// The finding that an error is which keeps one part of a verification from its end; `nil` for any
  /// other error.
  init?(_ error: any Error, in tree: LibraryTree) {
    switch error {
    case let error as CatalogError where [.damaged, .unreadableRow].contains(error.code):
      self.init(.catalogDamaged, "catalog.sqlite", error.reason)
    case let error as StorageError:
      let root = tree.path + "/"
      let path = error.path.hasPrefix(root) ? error.path.dropFirst(root.count) : error.path[...]
      self.init(.unreadable, String(path).escapedForDisplay, error.reason)
    default: return nil
    }
  }
}

extension StorageError {
  /// Whether the system refused because this user may not write there, or nobody may.
  var isForWantOfRights: Bool { [EROFS, EACCES, EPERM].contains(errno) }
}
