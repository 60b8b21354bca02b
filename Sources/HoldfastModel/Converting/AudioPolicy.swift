/// A person's choice of sound for the library.
public enum AudioPolicy: String, Codable, Hashable, Sendable, CaseIterable {
  /// Copy the sound if an Apple player can play the stream as it is. Otherwise encode it as AAC.
  case auto
  /// Always encode the sound as AAC.
  case aac
  /// Like ``auto``, but lossless sound of up to two channels stays lossless, as ALAC.
  case alac
}

/// The codec that sound is encoded with.
public enum SoundCodec: String, Codable, Hashable, Sendable {
  /// AAC-LC.
  case aac
  /// Apple Lossless, with 16 or 24 bits per sample.
  case alac
}

extension AudioPolicy {
  /// The highest sample rate that Apple's own encoder accepts.
  private static let highestRate = 384_000

  /// Returns the codec to use if this sound is encoded; `nil` for AAC.
  func codec(for stream: StreamInfo) -> SoundCodec? {
    guard self == .alac, let sound = stream.sound, sound.isLossless == true,
      (1...2).contains(sound.channels), (1...Self.highestRate).contains(sound.sampleRate)
    else { return nil }
    return .alac
  }

  /// Returns why the sound is encoded; `nil` if it is copied.
  func reason(for stream: StreamInfo) -> String? {
    guard let obstacle = stream.copyObstacle else { return self == .aac ? "asked for" : nil }
    // The obstacle names the default codec, which is not the one used here.
    let isKept = codec(for: stream) == .alac && stream.codec != SoundCodec.alac.rawValue
    return isKept ? "\(stream.codec) is stored as ALAC, which loses nothing" : obstacle
  }
}
