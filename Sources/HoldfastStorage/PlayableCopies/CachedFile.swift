public import Foundation
public import HoldfastModel

/// The name of a file in `.cache`: which recording it was made for, and from which bytes.
///
/// When the recording's file is replaced, the name changes with its hash, so that nobody takes what was
/// made from the old one.
public struct CachedFile: Hashable, Sendable {
  /// The recording.
  public let id: RecordingID
  /// The file's name.
  public let name: String

  /// Names what is made from a recording's file.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - type: Its type, and that of the new file.
  ///   - hash: The hash of the recording's file. 64 bits of it tell the few files apart that one
  ///     recording ever has.
  public init(of id: RecordingID, _ type: RecordingType, hash: SHA256Digest) {
    self.id = id
    name = "\(id.uuidString)-\(hash.hexadecimal.prefix(16)).\(type.fileExtension)"
  }
}
