public import HoldfastModel

extension LibraryTree {
  /// Deletes a recording: its files and, in between, its row.
  ///
  /// In this order: the files are moved into a folder of `.trash`, and their folders synced; the row
  /// goes; the files are unlinked. Whatever stops it half-way, ``recover(under:hasRow:)`` moves
  /// the files back if the row stands, and unlinks them if it does not.
  ///
  /// A file that is gone already is no error. Left where it is: what is no regular file, and a
  /// file that has another recording's name.
  ///
  /// A path that is not one of this recording's own, which only a catalog that somebody changed
  /// by hand can hold, is not moved, since recovery could not tell where it came from; it is
  /// unlinked when the row is gone. Name no path that another row holds as well.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - paths: The paths that its row holds.
  ///   - lock: The writer lock.
  ///   - deletingRow: Deletes the row, in a transaction of its own.
  ///   - hasRow: Whether the row is still there; asked when `deletingRow` throws.
  /// - Returns: Those of the paths at which something was left.
  /// - Throws: ``StorageError`` when a file cannot be moved; then everything is where it was.
  ///   Among them are `unsafePath` when a folder on the way is a symbolic link, and
  ///   `interruptedErase`. Or what `deletingRow` throws, unless the row is gone nevertheless.
  @discardableResult
  public func delete(
    _ id: RecordingID, paths: [RelativePath], under lock: borrowing WriterLock,
    deletingRow: () throws -> Void, hasRow: () throws -> Bool
  ) throws -> [RelativePath] {
    var deletion = try Deletion(of: id, in: directory, machine: machine)
    try deletion.moveAside(paths)
    do {
      try deletingRow()
    } catch {
      // Nobody can tell: recovery will see which it was.
      guard let stands = try? hasRow() else { throw error }
      if stands { try? deletion.undo() }
      // The row may be gone only because the end of the catalog's journal is not on the disk yet;
      // if the journal came back, so would the row.
      guard !stands, (try? directory.sync()) != nil else { throw error }
    }
    deletion.finish()
    return deletion.left
  }
}
