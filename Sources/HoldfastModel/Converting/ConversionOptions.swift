/// A person's choices for converting a source.
public struct ConversionOptions: Codable, Hashable, Sendable {
  /// What happens to a source that is longer than a recording may last.
  public var overLimit: OverLimitPolicy
  /// How video is converted.
  public var video: VideoPolicy
  /// How sound is converted.
  public var audio: AudioPolicy
  /// The height in pixels, as seen, above which pictures are scaled down; `nil` to keep their size.
  public var maxHeight: Int?
  /// Whether to keep the tags that say where, and with what device, the source was recorded.
  public var keepsMetadata: Bool

  /// Makes options. Without arguments, they are the defaults.
  public init(
    overLimit: OverLimitPolicy = .refuse, video: VideoPolicy = .auto, audio: AudioPolicy = .auto,
    maxHeight: Int? = nil, keepsMetadata: Bool = false
  ) {
    self.overLimit = overLimit
    self.video = video
    self.audio = audio
    self.maxHeight = maxHeight
    self.keepsMetadata = keepsMetadata
  }
}
