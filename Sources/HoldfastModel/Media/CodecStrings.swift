/// What a recording's streams are coded in, as browsers and players ask for it: RFC 6381's strings, such as
/// `hvc1.2.4.L123.B0` and `mp4a.40.2`.
public struct CodecStrings: Codable, Hashable, Sendable {
  /// The picture's; `nil` if it is not known, and for audio.
  public var video: String?
  /// The sound's; `nil` if it is not known, and without sound.
  public var audio: String?

  /// The most characters that one may have.
  public static let longest = 64

  /// Puts them together.
  public init(video: String? = nil, audio: String? = nil) {
    self.video = video
    self.audio = audio
  }

  /// Whether both are as such strings are.
  package var isPlausible: Bool {
    [video, audio].compactMap(\.self).allSatisfy { string in
      (1...Self.longest).contains(string.utf8.count)
        && string.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
  }
}
