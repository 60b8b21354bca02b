import CNettle
package import HoldfastModel

/// Computes a SHA-256 piece by piece, with Nettle, which uses the processor's own instructions for
/// it.
package struct SHA256: Sendable {
  private var context = sha256_ctx()

  package init() { unsafe nettle_sha256_init(&context) }

  package mutating func update(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe nettle_sha256_update(&context, bytes.count, bytes.baseAddress)
    }
  }

  package consuming func digest() -> SHA256Digest {
    var bytes = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    unsafe nettle_sha256_digest(&context, bytes.count, &bytes)
    return SHA256Digest(all: bytes)
  }

  package static func hash(_ bytes: [UInt8]) -> SHA256Digest {
    var hash = SHA256()
    hash.update(bytes[...])
    return hash.digest()
  }

  /// Returns the keyed hash (HMAC) of a message.
  ///
  /// - SeeAlso: RFC 2104
  package static func authenticationCode(of message: [UInt8], key: [UInt8]) -> SHA256Digest {
    var context = hmac_sha256_ctx()
    unsafe nettle_hmac_sha256_set_key(&context, key.count, key)
    unsafe nettle_hmac_sha256_update(&context, message.count, message)
    var bytes = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    unsafe nettle_hmac_sha256_digest(&context, bytes.count, &bytes)
    return SHA256Digest(all: bytes)
  }
}

extension SHA256Digest {
  fileprivate init(all bytes: [UInt8]) {
    guard let digest = SHA256Digest(bytes: bytes) else {
      preconditionFailure("Nettle gave \(bytes.count) bytes")
    }
    self = digest
  }
}
