public import HoldfastModel
import HoldfastSupport

extension SHA256Digest {
  /// Hashes bytes that are in memory.
  ///
  /// - Parameter bytes: The bytes.
  public init(hashing bytes: [UInt8]) { self = SHA256.hash(bytes) }
}
