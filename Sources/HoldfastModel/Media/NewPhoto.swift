public import Foundation

/// A photo whose file is ready to come into the library.
public struct NewPhoto: Hashable, Sendable {
  /// The photo's identity, which names its file.
  public let id: UUID
  /// The name of the file that it was made from.
  public let name: String
  /// The size of the picture in pixels, as it is stored.
  public let size: PictureSize
  /// The size of the file in bytes.
  public let fileSize: Int64
  /// The SHA-256 of the file.
  public let fileSHA256: SHA256Digest

  package init(
    id: UUID, name: String, size: PictureSize, fileSize: Int64, fileSHA256: SHA256Digest
  ) {
    (self.id, self.name, self.size) = (id, name, size)
    (self.fileSize, self.fileSHA256) = (fileSize, fileSHA256)
  }
}
