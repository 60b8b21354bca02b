import HoldfastModel
import HoldfastStorage
import HoldfastSupport

extension OpenFile {
  /// Returns the SHA-256 of the file, which it reads from start to end.
  ///
  /// - Parameter copy: A file that receives a copy of the bytes; `nil` for none.
  func sha256(copyingTo copy: OpenFile? = nil, until stop: StopFlag) throws -> SHA256Digest {
    var hash = SHA256()
    try forEachChunk { bytes in
      try stop.check()
      hash.update(bytes)
      try copy?.write(bytes)
    }
    return hash.digest()
  }
}
