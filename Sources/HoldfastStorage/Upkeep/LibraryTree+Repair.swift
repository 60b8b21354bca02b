internal import Glibc
public import HoldfastModel

extension LibraryTree {
  /// Gives a file of the tree another path in it, where nothing is.
  ///
  /// - Parameters:
  ///   - path: Where it is, relative to the library's folder.
  ///   - newPath: The path that it gets.
  ///   - lock: The writer lock.
  /// - Throws: ``StorageError``: `exists`, or what the system says; then it is where it was.
  public func move(
    _ path: [UInt8], to newPath: RelativePath, under lock: borrowing WriterLock
  ) throws(StorageError) {
    let (origin, name) = try directory.parent(of: path)
    let folders = try RecordingFolders(in: directory)
    try SystemCalls.rename(Place(in: origin.file, name), to: folders.place(newPath))
    try folders.sync([newPath])
    try origin.sync()
  }

  /// Opens something in the tree for reading, whatever it is called.
  ///
  /// - Parameter path: Where it is, relative to the library's folder.
  /// - Throws: ``StorageError``: `notAFile` for anything but a regular file.
  public func openForReading(bytes path: [UInt8]) throws(StorageError) -> OpenFile {
    let (folder, name) = try directory.parent(of: path)
    let file = try SystemCalls.open(
      Place(in: folder.file, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    guard try file.identity().kind == .regular else {
      throw StorageError(.notAFile, "open", path: file.path)
    }
    return file
  }

  /// Takes every permission but its owner's from a file or a folder of the library.
  ///
  /// - Parameters:
  ///   - entry: What it is; no link.
  ///   - lock: The writer lock.
  /// - Throws: ``StorageError`` when the system refuses, or does as if.
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
  /// The permissions that it should have; `nil` for what has none.
  public var privatePermissions: UInt32? {
    switch kind {
    case .regular: 0o600
    case .directory: 0o700
    default: nil
    }
  }
}
