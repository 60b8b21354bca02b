internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

extension Library {
  /// Deletes a recording: its file, its thumbnail and its row together. Cravings that it helped with
  /// stay, without their link.
  ///
  /// A file that is gone already is no error. After the last of several deletions call
  /// ``compactIfDue()``.
  ///
  /// - Returns: Paths of the recording at which something was left, because it is no file of its own:
  ///   a folder or a link.
  /// - Throws: ``LibraryError`` when there is no such recording; ``StorageError`` when its files
  ///   cannot be moved, and then nothing was changed.
  @discardableResult
  public func deleteRecording(id: RecordingID) throws -> [RelativePath] {
    let tree = try writableTree()
    return try tree.withWriterLock { lock in
      let files = try found(catalog.storedFiles(id: id), "recording", id)
      let paths = [files.filePath, files.thumbnailPath].compactMap { $0.flatMap(RelativePath.init) }
      return try tree.delete(id, paths: paths, under: lock) {
        try catalog.deleteRecording(id: id)
      } hasRow: {
        try catalog.hasRecording(id: id)
      }
    }
  }

  /// Writes the catalog's file anew if anything was deleted, so that no trace of it is found there.
  ///
  /// It takes the time of copying that file, and is done at the latest when the library is next
  /// opened for writing.
  ///
  /// - Throws: `CatalogError`, when there is too little room among others; it stays due then.
  public func compactIfDue() throws {
    try whileLocked {
      if try catalog.isCompactionDue() { try catalog.compact() }
    }
  }
}
