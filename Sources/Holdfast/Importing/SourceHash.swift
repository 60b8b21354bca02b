internal import Crypto
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

extension OpenFile {
  /// The SHA-256 of the file, read from its start to its end.
  ///
  /// - Parameters:
  ///   - copy: Receives what is read, if it is to be kept.
  ///   - stop: Ends the reading when it is set.
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
