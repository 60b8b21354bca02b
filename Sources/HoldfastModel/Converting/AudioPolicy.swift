/// Which sound a person wants in the library.
public enum AudioPolicy: String, Codable, Hashable, Sendable, CaseIterable {
  /// Copied where an Apple player can play the stream as it is, encoded as AAC otherwise.
  case auto
  /// Always encoded as AAC.
  case aac
  /// As with ``auto``, but lossless sound of up to two channels stays lossless, as ALAC.
  case alac
}

/// What sound is encoded as.
public enum SoundCodec: String, Codable, Hashable, Sendable {
  /// AAC-LC.
  case aac
  /// Apple Lossless, with 16 or 24 bits a sample.
  case alac
}

extension AudioPolicy {
  /// The highest sample rate that Apple's own encoder takes.
  private static let highestRate = 384_000

  /// What sound is encoded as where it is encoded; `nil` for AAC.
  func codec(for stream: StreamInfo) -> SoundCodec? {
    guard self == .alac, let sound = stream.sound, sound.isLossless == true,
      (1...2).contains(sound.channels), (1...Self.highestRate).contains(sound.sampleRate)
    else { return nil }
    return .alac
  }

  /// Why sound is encoded; `nil` if it is copied.
  func reason(for stream: StreamInfo) -> String? {
    guard let obstacle = stream.copyObstacle else { return self == .aac ? "asked for" : nil }
    // The obstacle names what it becomes by default.
    let isKept = codec(for: stream) == .alac && stream.codec != SoundCodec.alac.rawValue
    return isKept ? "\(stream.codec) is kept lossless, as ALAC" : obstacle
  }
}
