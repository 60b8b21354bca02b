internal import Glibc
public import HoldfastModel

extension LibraryTree {
  /// Moves a file of the tree to another path in it, where nothing exists.
  ///
  /// - Parameters:
  ///   - path: The file's path, relative to the library's folder.
  ///   - newPath: The path that it gets.
  ///   - lock: The writer lock.
  /// - Throws: ``StorageError``: `exists`, or a system error. The file is then not moved, unless
  ///   only the sync of a folder failed.
  public func move(
    _ path: [UInt8], to newPath: RelativePath, under lock: borrowing WriterLock
  ) throws(StorageError) {
    let (origin, name) = try directory.parent(of: path)
    let folders = try RecordingFolders(in: directory)
    try SystemCalls.rename(Place(in: origin.file, name), to: folders.place(newPath))
    try folders.sync([newPath])
    try origin.sync()
  }

  /// Opens something in the tree for reading, whatever its name is.
  ///
  /// - Parameter path: The path, relative to the library's folder.
  /// - Throws: ``StorageError``: `notAFile` for anything but a regular file, or a system error.
  public func openForReading(bytes path: [UInt8]) throws(StorageError) -> OpenFile {
    let (folder, name) = try directory.parent(of: path)
    let file = try SystemCalls.open(
      Place(in: folder.file, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    guard try file.identity().kind == .regular else {
      throw StorageError(.notAFile, "open", path: file.path)
    }
    return file
  }

  /// Returns what the system says of a file; `nil` if it is missing.
  ///
  /// - Parameter path: The path, relative to the library's folder.
  /// - Throws: ``StorageError`` when the system cannot say.
  public func identity(ofFileAt path: [UInt8]) throws(StorageError) -> FileIdentity? {
    let (folder, name) = try directory.parent(of: path)
    return try SystemCalls.identity(of: Place(in: folder.file, name))
  }

  /// Removes all permissions except the owner's from a file or a folder of the library.
  ///
  /// - Parameters:
  ///   - entry: The file or folder.
  ///   - lock: The writer lock.
  /// - Throws: ``StorageError``: `notAFile` for a link or anything else that has no such
  ///   permissions, or a system error, also when the system reports success but the permissions
  ///   have not changed.
  public func makePrivate(
    _ entry: ScannedEntry, under lock: borrowing WriterLock
  ) throws(StorageError) {
    guard let mode = entry.privatePermissions else {
      throw StorageError(.notAFile, "make private", path: entry.description)
    }
    let (folder, name) = try directory.parent(of: entry.bytes)
    let place = Place(in: folder.file, name)
    try SystemCalls.setMode(mode_t(mode), of: place)
    guard try SystemCalls.identity(of: place)?.permissions == mode else {
      throw StorageError(.system, "make private", path: place.path, errno: ENOTSUP)
    }
  }
}

extension ScannedEntry {
  /// The permissions that the entry should have. `nil` for anything but a file or a folder.
  public var privatePermissions: UInt32? {
    switch kind {
    case .regular: 0o600
    case .directory: 0o700
    default: nil
    }
  }
}
