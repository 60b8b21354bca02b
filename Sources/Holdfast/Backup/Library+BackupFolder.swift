internal import HoldfastStorage

/// Where the backups are, so that nobody has to name the folder each time.
extension Library {
  /// Returns the folder that ``noteBackupFolder(_:)`` noted; `nil` for none.
  ///
  /// - Throws: ``LibraryError`` when the library's marker cannot be read.
  public func backupFolder() throws -> String? {
    try LibraryError.translating { try tree.backupFolder() }
  }

  /// Notes in the library to which folder it is backed up. An erase forgets it.
  ///
  /// - Parameter path: The folder; `nil` for none. One that is too long to be kept, which takes some
  ///   thousand characters, is not noted.
  /// - Throws: ``LibraryError`` when the library was opened for reading, or its marker cannot be
  ///   written.
  public func noteBackupFolder(_ path: String?) throws {
    let tree = try writableTree()
    try LibraryError.translating {
      try tree.withWriterLock { lock in try tree.setBackupFolder(path, under: lock) }
    }
  }
}
