/// A file's identity and state at one moment.
///
/// Two equal identities mean the same file, unchanged in between.
package struct FileIdentity: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    case regular
    case directory
    /// A symbolic link. Only possible where links are not followed.
    case symbolicLink
    case fifo
    /// A socket or a device.
    case other
  }

  package var device: UInt64
  package var inode: UInt64
  /// The size in bytes.
  package var size: Int64
  /// When its bytes last changed, in nanoseconds since 1970.
  package var modified: Int64
  /// When the bytes or the attributes last changed, in nanoseconds since 1970.
  package var changed: Int64
  package var kind: Kind
  /// The permission bits, as `chmod` writes them.
  package var permissions: UInt32 = 0
  package var owner: UInt32 = 0

  /// Whether `other` is the same file, changed or not.
  package func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Whether the size is that of `other`, and the bytes last changed when those of `other` did.
  package func hasSizeAndTime(of other: FileIdentity) -> Bool {
    size == other.size && modified == other.modified
  }

  /// Whether `other` is the same file with the same bytes, owner and permissions, whatever names it
  /// got.
  func hasBytes(of other: FileIdentity) -> Bool {
    isSameFile(as: other) && hasSizeAndTime(of: other) && kind == other.kind
      && owner == other.owner && permissions == other.permissions
  }
}
