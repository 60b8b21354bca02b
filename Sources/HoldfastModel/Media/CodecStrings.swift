/// The codecs of a recording's streams, as RFC 6381 strings such as `hvc1.2.4.L123.B0` and
/// `mp4a.40.2`.
///
/// Browsers and players use these strings to tell whether they can play a file.
public struct CodecStrings: Codable, Hashable, Sendable {
  /// The video codec; `nil` if it is not known, and for audio.
  public var video: String?
  /// The audio codec; `nil` if it is not known, and without sound.
  public var audio: String?

  /// The most characters that one string may have.
  public static let longest = 64

  /// Makes a pair of codec strings.
  public init(video: String? = nil, audio: String? = nil) {
    self.video = video
    self.audio = audio
  }

  /// Whether each string has an allowed length and only printable ASCII characters without spaces.
  package var isPlausible: Bool {
    [video, audio].compactMap(\.self).allSatisfy { string in
      (1...Self.longest).contains(string.utf8.count)
        && string.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
  }
}
