package import Foundation
package import HoldfastModel

package protocol RecordingRows {
  func hasRow(of id: UUID) throws -> Bool
}

/// The rows of a library's recordings, and what else a recovery needs to know.
package protocol RecoveryRows: RecordingRows {
  /// Returns whether the recordings' files are missing as a whole.
  ///
  /// It is called after erases are undone, if there is more to do. If it returns `true`, the rest
  /// is put off: what an import published could not be found, and a file that is moved back would
  /// be where a disk's folder belongs.
  func isOffline() throws -> Bool

  /// Returns a file's hash, if it is known.
  ///
  /// It must not read the file, because others would wait. Whatever needs an unknown hash is left
  /// as it is. Read those files when the lock is free, and recover again.
  func hash(of file: OpenFile) throws -> KnownHash

  /// Updates the row of a remade file, if that file is in its place. Returns `false` if that
  /// depends on an unknown hash.
  func settle(_ remade: RemadeFile) throws -> Bool
}

package enum KnownHash: Hashable, Sendable {
  /// The file was read, and has not changed since.
  case hash(SHA256Digest)
  case unreadable
  /// The file has not been read yet, or has changed since.
  case notRead
}
