import Glibc
package import HoldfastModel
package import HoldfastSupport

package enum FileStatus: Hashable, Sendable {
  case missing
  /// A regular file, with its size in bytes.
  case regular(size: Int64)
  /// Something else: a folder, a symbolic link, a FIFO.
  case notRegular
}

extension LibraryTree {
  /// Opens a file beneath the library's folder, through no symbolic link.
  ///
  /// - Throws: `HoldfastError`: `missing`, `unsafePath` for a symbolic link, `notAFile` for
  ///   anything else that is not a regular file, or a system error.
  package func openForReading(_ path: RelativePath) throws(HoldfastError) -> OpenFile {
    let place = directory.place(path.string)
    // This does not wait on a FIFO.
    let file = try SystemCalls.openBeneath(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    guard try file.identity().kind == .regular else {
      throw HoldfastError(.notAFile, operation: "open", path: file.path)
    }
    return file
  }

  /// Opens an entry of the tree for reading, by its path relative to the library's folder. It may
  /// have any name.
  ///
  /// - Throws: `HoldfastError`: `notAFile` for anything but a regular file, or a system error.
  package func openForReading(bytes path: [UInt8]) throws(HoldfastError) -> OpenFile {
    let (folder, name) = try directory.parent(of: path)
    let file = try SystemCalls.open(
      DirectoryRelativePath(in: folder.file, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    guard try file.identity().kind == .regular else {
      throw HoldfastError(.notAFile, operation: "open", path: file.path)
    }
    return file
  }

  /// Whether one of the library's files has these bytes; `false` also if it cannot be read, or is
  /// larger than `limit`.
  package func hasBytes(
    _ hash: SHA256Digest, at path: RelativePath, atMost limit: Int64 = .max, until stop: StopFlag
  ) throws -> Bool {
    do {
      let file = try openForReading(path)
      try file.refuseIfLarger(than: limit)
      return try file.sha256(until: stop) == hash
    } catch is HoldfastError {
      return false
    }
  }

  /// Returns the status of the entry at a path, without opening it for reading.
  package func status(of path: RelativePath) throws(HoldfastError) -> FileStatus {
    do throws(HoldfastError) {
      let flags = SystemCalls.pathOnly | O_NOFOLLOW
      let file = try SystemCalls.openBeneath(directory.place(path.string), flags)
      let identity = try file.identity()
      return identity.kind == .regular ? .regular(size: identity.size) : .notRegular
    } catch let error where error.code == .missing || error.errno == ENOTDIR {
      return .missing
    } catch let error where error.code == .unsafePath {
      return .notRegular
    }
  }

  /// Moves a file of the tree to another path in it, where nothing exists.
  ///
  /// - Throws: `HoldfastError`: `exists`, or a system error. The file is then not moved, unless
  ///   only the sync of a folder failed.
  package func move(
    _ path: [UInt8], to newPath: RelativePath, under lock: borrowing WriterLock
  ) throws(HoldfastError) {
    let (origin, name) = try directory.parent(of: path)
    let folders = try RecordingFolders(in: directory, for: [newPath])
    try SystemCalls.rename(DirectoryRelativePath(in: origin.file, name), to: folders.place(newPath))
    try folders.sync([newPath])
    try origin.sync()
  }

  /// Removes all permissions except the owner's from a file or a folder of the library.
  ///
  /// - Throws: `HoldfastError`: `notAFile` for a link or anything else that has no such
  ///   permissions, or a system error, also when the system reports success but the permissions
  ///   have not changed.
  package func makePrivate(
    _ entry: ScannedEntry, under lock: borrowing WriterLock
  ) throws(HoldfastError) {
    guard let mode = entry.privatePermissions else {
      throw HoldfastError(.notAFile, operation: "make private", path: entry.description)
    }
    let (folder, name) = try directory.parent(of: entry.bytes)
    let place = DirectoryRelativePath(in: folder.file, name)
    try SystemCalls.setMode(mode_t(mode), of: place)
    guard try SystemCalls.identity(of: place)?.permissions == mode else {
      throw HoldfastError(.system, operation: "make private", path: place.path, errno: ENOTSUP)
    }
  }

  /// Makes files of the library durable, with their names.
  ///
  /// - Parameter paths: Returns their paths, if the filesystem needs them. Missing files are
  ///   skipped.
  package func makeDurable(_ paths: () throws -> [RelativePath]) throws {
    let needsPaths = SourceFile.isRemote(directory.file)
    try RecordingFolders(in: directory).syncFiles(needsPaths ? paths() : [])
  }
}
