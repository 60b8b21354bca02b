internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

extension Library {
  /// Deletes a recording: its file, its thumbnail and its row together.
  ///
  /// Cravings that it helped with are kept, without their link to it.
  ///
  /// A file that is missing already is not an error, unless the files of all recordings are
  /// missing. Then they may be on a disk that is not mounted, and would come back with it.
  ///
  /// After the last of several deletions, call ``compactIfSmall()``.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - isLost: Whether the files are known to be lost. Then the recording is deleted even if the
  ///     files of all recordings are missing.
  /// - Returns: The paths of the recording at which something was left, because it is not the
  ///   recording's own file: it may be a folder or a link.
  /// - Throws: ``LibraryError`` when there is no such recording, when the files of all recordings
  ///   are missing, and when its files cannot be moved. Nothing is changed then.
  @discardableResult
  public func deleteRecording(id: RecordingID, isLost: Bool = false) throws -> [RelativePath] {
    try LibraryError.translating {
      let tree = try writableTree()
      return try tree.withWriterLock { lock in
        if !isLost { try refuseIfOffline("it was not deleted") }
        let files = try found(catalog.storedFiles(id: id), .recordings, id)
        let paths = [files.filePath, files.thumbnailPath].compactMap {
          $0.flatMap(RelativePath.init)
        }
        let rows = CatalogRows(catalog: catalog)
        do {
          return try tree.delete(id, paths: paths, under: lock, rows: rows) {
            try catalog.deleteRecording(id: id)
          }
        } catch let error
          where (error as? StorageError)?.isForWantOfSpace
          ?? ((error as? CatalogError)?.code == .full)
        {
          // A deletion takes a little room before it frees more. Copies can be made again.
          try tree.removeCache(under: lock)
        }
        return try tree.delete(id, paths: paths, under: lock, rows: rows) {
          try catalog.deleteRecording(id: id)
        }
      }
    }
  }
}
