internal import Glibc
public import HoldfastModel
package import HoldfastSupport

/// What is at a path of the library.
public enum FileStatus: Hashable, Sendable {
  /// Nothing.
  case missing
  /// A regular file, with its size in bytes.
  case regular(size: Int64)
  /// Something else: a folder, a symbolic link, a FIFO.
  case notRegular
}

extension LibraryTree {
  /// Opens one of the library's files for reading, beneath the library's folder and through no
  /// symbolic link.
  ///
  /// - Parameter path: The file's path.
  /// - Throws: ``StorageError``: `missing`, `unsafePath` for a symbolic link, `notAFile` for
  ///   anything else that is not a regular file, or a system error.
  public func openForReading(_ path: RelativePath) throws(StorageError) -> OpenFile {
    let place = directory.place(path.string)
    // This does not block: nobody may have to wait because somebody put a FIFO there.
    let file = try SystemCalls.openBeneath(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    guard try file.identity().kind == .regular else {
      throw StorageError(.notAFile, "open", path: file.path)
    }
    return file
  }

  /// Whether one of the library's files has these bytes.
  ///
  /// - Parameters:
  ///   - hash: The SHA-256 of the bytes.
  ///   - path: The file's path.
  ///   - stop: Ends the reading.
  /// - Returns: `false` also if the file cannot be read.
  /// - Throws: `CancellationError`.
  package func hasBytes(
    _ hash: SHA256Digest, at path: RelativePath, until stop: StopFlag
  ) throws -> Bool {
    do {
      return try openForReading(path).sha256 { try stop.check() } == hash
    } catch is StorageError {
      return false
    }
  }

  /// Returns what is at a path, without opening it for reading.
  ///
  /// - Parameter path: The file's path.
  /// - Throws: ``StorageError`` when the system cannot say.
  public func status(of path: RelativePath) throws(StorageError) -> FileStatus {
    do throws(StorageError) {
      let flags = SystemCalls.onlyToLookAt | O_NOFOLLOW
      let file = try SystemCalls.openBeneath(directory.place(path.string), flags)
      let identity = try file.identity()
      return identity.kind == .regular ? .regular(size: identity.size) : .notRegular
    } catch let error where error.code == .missing || error.errno == ENOTDIR {
      return .missing
    } catch let error where error.code == .unsafePath {
      return .notRegular
    }
  }
}
