public import HoldfastModel
internal import HoldfastStorage

/// A recording's file or thumbnail, opened for reading. It can be read even after it was deleted or
/// replaced.
public struct StoredFile: Sendable {
  private let file: OpenFile
  /// The size in bytes.
  public let size: Int64
  /// When its bytes last changed, in nanoseconds since 1970.
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
  /// - Throws: ``LibraryError`` when the file is missing, or is not a regular file.
  public func openFile(of recording: Recording) throws -> StoredFile {
    try LibraryError.translating { try StoredFile(tree.openForReading(recording.filePath)) }
  }

  /// Opens a recording's thumbnail for reading.
  ///
  /// - Returns: The thumbnail; `nil` for a recording that has none.
  /// - Throws: ``LibraryError`` when the thumbnail is missing, or is not a regular file.
  public func openThumbnail(of recording: Recording) throws -> StoredFile? {
    try LibraryError.translating {
      try recording.thumbnailPath.map { try StoredFile(tree.openForReading($0)) }
    }
  }

  /// Whether the library that was opened is still the one at ``path``, and can be reached. If not, its
  /// disk has gone, or another library stands there: open it again.
  public var isInPlace: Bool {
    guard let present = try? LibraryTree.open(at: path), present.marker.uuid == tree.marker.uuid,
      let (here, there) = try? (tree.place(), present.place())
    else { return false }
    return here == there
  }
}
