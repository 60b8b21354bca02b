package import HoldfastModel

package enum KnownHash: Hashable, Sendable {
  /// The file was read, and has not changed since.
  case hash(SHA256Digest)
  case unreadable
  /// The file has not been read yet, or has changed since.
  case notRead
}
