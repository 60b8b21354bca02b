internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

extension Library {
  /// Deletes a recording: its file, its thumbnail and its row together. Cravings that it helped with
  /// stay, without their link.
  ///
  /// A file that is gone already is no error, unless all of them are: then they may be on a disk that
  /// is not there, and would come back with it. After the last of several deletions call
  /// ``compactIfSmall()``.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - isLost: Whether it is known that the files are lost, though all of them are gone.
  /// - Returns: Paths of the recording at which something was left, because it is no file of its own:
  ///   a folder or a link.
  /// - Throws: ``LibraryError`` when there is no such recording, and when the recordings' files are
  ///   not there at all; ``StorageError`` when its files cannot be moved, and then nothing was changed.
  @discardableResult
  public func deleteRecording(id: RecordingID, isLost: Bool = false) throws -> [RelativePath] {
    try LibraryError.translating {
      let tree = try writableTree()
      return try tree.withWriterLock { lock in
        if !isLost { try refuseIfOffline("it was not deleted") }
        let files = try found(catalog.storedFiles(id: id), "recording", id)
        let paths = [files.filePath, files.thumbnailPath].compactMap {
          $0.flatMap(RelativePath.init)
        }
        return try tree.delete(id, paths: paths, under: lock) {
          try catalog.deleteRecording(id: id)
        } hasRow: {
          try catalog.hasRecording(id: id)
        }
      }
    }
  }
}
