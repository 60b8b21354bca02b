public import HoldfastModel

extension LibraryTree {
  /// Deletes a recording's files and its row.
  ///
  /// First what the cache has of the recording is removed. Then the files are moved into a folder of
  /// `.trash`, and their folders are synced. Then the
  /// row is deleted. Then the files are unlinked. If this is interrupted,
  /// ``recover(under:rows:)`` moves the files back if the row exists, and unlinks them if it does
  /// not.
  ///
  /// A file that is already gone is not an error. Anything that is not a regular file is left in
  /// place, and so is a file with another recording's name.
  ///
  /// Only a catalog that somebody edited by hand can hold a path that is not one of this
  /// recording's own. Such a file is not moved, because recovery could not tell where it came from.
  /// It is unlinked when the row is gone. Do not pass a path that another row also holds.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - paths: The paths in its row.
  ///   - lock: The writer lock.
  ///   - rows: The rows of the recordings.
  ///   - deletingRow: Deletes the row, in its own transaction.
  /// - Returns: The paths where something was left.
  /// - Throws: ``StorageError`` when a file cannot be moved: for example `unsafePath` when a folder
  ///   on the path is a symbolic link, or `interruptedErase`. The files that were moved are then
  ///   moved back. Also what `deletingRow` throws, unless the row is gone nevertheless.
  @discardableResult
  public func delete(
    _ id: RecordingID, paths: [RelativePath], under lock: borrowing WriterLock,
    rows: some RecordingRows, deletingRow: () throws -> Void
  ) throws -> [RelativePath] {
    // What was made from the recording can be made again if the row stays.
    try removeCached(of: id, under: lock)
    var deletion = try Deletion(of: id, in: directory, machine: machine)
    try deletion.moveAside(paths)
    do {
      try deletingRow()
    } catch {
      // Nobody can tell whether the row is gone. Recovery will see.
      guard let stands = try? rows.hasRow(of: id) else { throw error }
      if stands { try? deletion.undo() }
      // The row may look deleted although the removal of the catalog's journal is not on the disk
      // yet. If the journal came back, so would the row.
      guard !stands, (try? directory.sync()) != nil else { throw error }
    }
    deletion.finish()
    return deletion.left
  }
}
