import Foundation
import Glibc
package import HoldfastModel
import Synchronization

/// A private file that is made for a person outside the library, such as an export.
///
/// It never replaces another file, and gets its name only when it is complete.
///
/// Use it in this order: make it, ``write(_:)``, ``commit()``. It is written under a hidden name in
/// the same folder, and removed if ``commit()`` is never called.
package final class NewFile: Sendable {
  private enum State {
    case isOpen
    case isCommitted
    case isDiscarded
  }

  /// The path that the file gets on ``commit()``.
  package let path: SourcePath
  private let folder: OpenFile
  private let name: [UInt8]
  private let hidden: DirectoryRelativePath
  /// The open file, for code that writes to its descriptor.
  package let file: OpenFile
  private let state = Mutex(State.isOpen)
  /// The folder that was made for this file. The reference keeps the folder alive.
  private let newFolder: NewFolder?

  /// Makes a file at a path where nothing exists.
  ///
  /// - Parameter path: The path that the file gets. Symbolic links to its folder are followed,
  ///   because a person named them.
  /// - Throws: `HoldfastError`: `exists`, `insideLibrary`, `insideBag`, `folderMissing`,
  ///   `notAFile` for a path that ends with a slash, or a system error.
  package convenience init(at path: SourcePath) throws(HoldfastError) {
    guard let (parent, name) = path.split else {
      throw HoldfastError(.notAFile, operation: "make", path: path.text)
    }
    let folder = try SystemCalls.openFolder(forNewThingsIn: parent)
    try self.init(path, name: name, in: folder, newFolder: nil)
  }

  init(
    _ path: SourcePath, name: [UInt8], in folder: OpenFile, newFolder: NewFolder?
  ) throws(HoldfastError) {
    // `commit()` checks this again, but a person must not wait for a long export to learn it.
    guard try SystemCalls.identity(of: DirectoryRelativePath(in: folder, name)) == nil else {
      throw HoldfastError(.exists, operation: "make", path: path.text, errno: EEXIST)
    }
    let hidden = DirectoryRelativePath(in: folder, ".holdfast-\(UUID().uuidString)")
    let file = try Self.inName(of: path) { () throws(HoldfastError) in
      try SystemCalls.open(hidden, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
    }
    // The filesystem of a USB stick may have no modes. The file is then as private as it can be.
    try? SystemCalls.setMode(0o600, of: file)
    self.path = path
    self.folder = folder
    self.name = name
    self.hidden = hidden
    self.file = file
    self.newFolder = newFolder
  }

  deinit { discard() }

  package func write(_ bytes: ArraySlice<UInt8>) throws(HoldfastError) {
    try Self.inName(of: path) { () throws(HoldfastError) in try file.write(bytes) }
  }

  /// Waits until the file is on the disk, and gives it its name. Does nothing if already committed.
  ///
  /// - Throws: `HoldfastError`: `exists` when something has that name by now, `missing` after
  ///   ``discard()``, or a system error. The file is then removed, unless only the sync of its
  ///   folder failed.
  package func commit() throws(HoldfastError) {
    try state.withLock { state throws(HoldfastError) in
      guard state != .isCommitted else { return }
      guard state != .isDiscarded else {
        throw HoldfastError(.missing, operation: "make", path: path.text, errno: ENOENT)
      }
      do throws(HoldfastError) {
        try Self.inName(of: path) { () throws(HoldfastError) in
          try SystemCalls.sync(file)
          try SystemCalls.rename(hidden, to: DirectoryRelativePath(in: folder, name))
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
  package func discard() { state.withLock { remove(&$0) } }

  private func remove(_ state: inout State) {
    guard state == .isOpen else { return }
    try? SystemCalls.unlink(hidden)
    state = .isDiscarded
  }

  /// Reports errors with the path that the person asked for, not with the hidden one.
  private static func inName<Value>(
    of path: SourcePath, _ body: () throws(HoldfastError) -> Value
  ) throws(HoldfastError) -> Value {
    do throws(HoldfastError) {
      return try body()
    } catch {
      var error = error
      error.path = path.text
      throw error
    }
  }
}
