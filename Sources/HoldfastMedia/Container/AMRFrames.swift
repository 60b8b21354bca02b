import HoldfastModel

/// A check that a file is AMR although it lacks the mark at its beginning. FFmpeg recognises such
/// files by a run of frames, and finds such runs in many other files.
enum AMRFrames {
  /// The bytes of a frame by its type, its header included (RFC 4867, 5.3; 3GPP TS 26.101 and
  /// 26.201); 0 for types that are reserved.
  private static let lengths: [String: [Int]] = [
    "amrnb": [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1],
    "amrwb": [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1],
  ]
  /// The part of a file that is checked, in bytes: at least 20 minutes of sound.
  private static let checked = 4 << 20

  /// Whether the mark of AMR comes again, because two files were joined. The decoder takes it for
  /// sound, and garbles what follows (RFC 4867, 5.1).
  static func areJoined(_ source: OpenMedia) -> Bool {
    let bytes = try? AcceptedContainers.firstBytes(of: source, atMost: checked)
    return bytes?.dropFirst().firstRange(of: Array("#!AMR".utf8)) != nil
  }

  /// Throws unless the file begins with frames and nothing else, and most of them are marked as
  /// received without errors.
  static func check(_ source: OpenMedia, _ container: String) throws(HoldfastError) {
    guard let lengths = lengths[container] else { return }
    let bytes = try AcceptedContainers.firstBytes(of: source, atMost: checked)
    var (place, frames, good) = (0, 0, 0)
    while place < bytes.count {
      // A header is a zero, the frame's type, a bit for its quality, and two zeros.
      let length = lengths[Int(bytes[place] >> 3 & 0xF)]
      guard bytes[place] & 0x83 == 0, length > 0 else { break }
      frames += 1
      if bytes[place] & 4 != 0 { good += 1 }
      place += length
    }
    guard place >= bytes.count, good * 2 > frames else {
      throw HoldfastError(
        .notAccepted, "has no mark of AMR, and other bytes than its frames; it is not a recording")
    }
  }
}
