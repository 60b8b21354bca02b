internal import Foundation
internal import Glibc
internal import Synchronization

/// A file that is made for a person outside of the library, such as an export: private, never in
/// the place of another file, and there under its name only when it is whole.
///
/// In this order: make it, ``write(_:)``, ``commit()``. It is written under a hidden name in the
/// same folder; what ends without ``commit()`` is removed.
public final class NewFile: Sendable {
  private enum State {
    case isOpen
    case isCommitted
    case isDiscarded
  }

  /// The path that it gets.
  public let path: SourcePath
  private let folder: OpenFile
  private let name: [UInt8]
  private let hidden: Place
  /// The file, for what writes to its descriptor.
  public let file: OpenFile
  private let state = Mutex(State.isOpen)
  /// The folder that was made for it stays as long as it does.
  private let newFolder: NewFolder?

  /// Makes a file where nothing is.
  ///
  /// - Parameter path: The path that it gets; a symbolic link on the way is the person's own.
  /// - Throws: ``StorageError``: `exists`, `insideLibrary`, `folderMissing`, `notAFile` for a
  ///   path that ends with a slash, or what the system says.
  public convenience init(at path: SourcePath) throws(StorageError) {
    guard let (parent, name) = path.split else {
      throw StorageError(.notAFile, "make", path: Place(path.bytes).path)
    }
    let folder = try SystemCalls.openFolder(forNewThingsIn: parent)
    try self.init(path, name: name, in: folder, newFolder: nil)
  }

  init(
    _ path: SourcePath, name: [UInt8], in folder: OpenFile, newFolder: NewFolder?
  ) throws(StorageError) {
    // It is found out again on commit; but whoever waits for a long export wants to know now.
    guard try SystemCalls.identity(of: Place(in: folder, name)) == nil else {
      throw StorageError(.exists, "make", path: Place(path.bytes).path, errno: EEXIST)
    }
    let hidden = Place(in: folder, ".holdfast-\(UUID().uuidString)")
    let file = try Self.inName(of: path) { () throws(StorageError) in
      try SystemCalls.open(hidden, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
    }
    // A stick's filesystem may know no modes; the file is then as private as the system makes it.
    try? SystemCalls.setMode(0o600, of: file)
    self.path = path
    self.folder = folder
    self.name = name
    self.hidden = hidden
    self.file = file
    self.newFolder = newFolder
  }

  deinit { discard() }

  /// Writes all of `bytes` after what was written before.
  ///
  /// - Throws: ``StorageError`` when the system refuses, a full disk among others.
  public func write(_ bytes: ArraySlice<UInt8>) throws(StorageError) {
    try Self.inName(of: path) { () throws(StorageError) in try file.write(bytes) }
  }

  /// Waits until all is on the disk, and gives the file its name; nothing if that is done.
  ///
  /// - Throws: ``StorageError``: `exists` when something has that name by now, or what the system
  ///   says. The file is then removed, unless only its folder could not be synced.
  public func commit() throws(StorageError) {
    try state.withLock { state throws(StorageError) in
      guard state != .isCommitted else { return }
      guard state != .isDiscarded else {
        throw StorageError(.missing, "make", path: Place(path.bytes).path, errno: ENOENT)
      }
      do throws(StorageError) {
        try Self.inName(of: path) { () throws(StorageError) in
          try SystemCalls.sync(file)
          try SystemCalls.rename(hidden, to: Place(in: folder, name))
        }
      } catch {
        remove(&state)
        throw error
      }
      state = .isCommitted
      try SystemCalls.sync(folder)
    }
  }

  /// Removes the file, unless it was committed.
  public func discard() { state.withLock { remove(&$0) } }

  private func remove(_ state: inout State) {
    guard state == .isOpen else { return }
    try? SystemCalls.unlink(hidden)
    state = .isDiscarded
  }

  /// A person knows the file by the path that was asked for, not by the hidden one.
  private static func inName<Value>(
    of path: SourcePath, _ body: () throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    do throws(StorageError) {
      return try body()
    } catch {
      var error = error
      error.path = Place(path.bytes).path
      throw error
    }
  }
}
