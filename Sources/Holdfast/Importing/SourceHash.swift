internal import Crypto
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

extension OpenFile {
  /// Returns the SHA-256 of the file, which it reads from start to end.
  ///
  /// - Parameters:
  ///   - copy: A file that receives a copy of the bytes, if there is to be one.
  ///   - stop: A flag that ends the reading with a `CancellationError`.
  func sha256(copyingTo copy: OpenFile? = nil, until stop: StopFlag) throws
    -> HoldfastModel.SHA256Digest
  {
    var hash = SHA256()
    try forEachChunk { bytes in
      try stop.check()
      hash.update(data: bytes)
      try copy?.write(bytes)
    }
    guard let digest = HoldfastModel.SHA256Digest(bytes: Array(hash.finalize())) else {
      throw MediaError(.library, "the hash of the file has a wrong length")
    }
    return digest
  }
}
