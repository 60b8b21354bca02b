import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage

/// A recording's file or thumbnail, opened for reading. It can be read even after it was deleted or
/// replaced.
public struct StoredFile: Sendable {
  private let file: OpenFile
  /// The size in bytes.
  public let size: Int64
  /// The time when its bytes last changed, in nanoseconds since 1970.
  public let modified: Int64

  init(_ file: OpenFile) throws {
    self.file = file
    let identity = try file.identity()
    (size, modified) = (identity.size, identity.modified)
  }

  /// The descriptor, which stays open as long as this value lives.
  public var descriptor: CInt { file.descriptor }
}

extension Library {
  /// Opens a recording's file for reading.
  ///
  /// - Throws: `HoldfastError` when the file is missing, or is not a regular file.
  public func openFile(of recording: Recording) throws -> StoredFile {
    try StoredFile(tree.openForReading(recording.filePath))
  }

  /// Opens a recording's thumbnail for reading.
  ///
  /// It reads only as much of the catalog as it needs, because a page shows many thumbnails.
  ///
  /// - Returns: The thumbnail, and the hash that its row has; `nil` for a recording that has none.
  /// - Throws: `HoldfastError` when the recording is missing, and when the thumbnail is missing,
  ///   or is not a regular file.
  public func openThumbnail(of id: RecordingID) throws -> (file: StoredFile, hash: SHA256Digest)? {
    let row = try found(catalog.thumbnails.file(of: id), kind: .recordings, id: id)
    guard let path = row.path.flatMap(RelativePath.init), let hash = row.hash else { return nil }
    return (try StoredFile(tree.openForReading(path)), hash)
  }

  /// Whether the library that was opened is still the one at ``path``, and can be reached. If not,
  /// its disk has gone, or another library or another catalog is there: open it again.
  public var isInPlace: Bool { tree.isInPlace }
}
