/// Which file it is and how it stood when it was looked at.
///
/// Two identities that are equal belong to the same file, unchanged in between.
public struct FileIdentity: Hashable, Sendable {
  /// What kind of thing stands under a name.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A file with bytes in it.
    case regular
    /// A folder.
    case directory
    /// A symbolic link; only where links are not followed.
    case symbolicLink
    /// A named pipe.
    case fifo
    /// A socket or a device.
    case other
  }

  /// The number of the filesystem it lies on.
  public var device: UInt64
  /// The number of the file on its filesystem.
  public var inode: UInt64
  /// Size in bytes.
  public var size: Int64
  /// When its bytes last changed, in nanoseconds since 1970.
  public var modified: Int64
  /// When anything of it last changed, in nanoseconds since 1970.
  public var changed: Int64
  /// What kind of thing it is.
  public var kind: Kind
  /// Who may read and change it, as `chmod` counts.
  public var permissions: UInt32 = 0
  /// The number of the user whose it is.
  public var owner: UInt32 = 0

  /// Whether `other` is the same file, changed or not.
  public func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode
  }
}
