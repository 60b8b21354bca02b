/// What a person wants to be made of a source.
public struct ConversionOptions: Codable, Hashable, Sendable {
  /// What happens to a source that is longer than a recording may last.
  public var overLimit: OverLimitPolicy
  /// Which video is wanted.
  public var video: VideoPolicy
  /// Which sound is wanted.
  public var audio: AudioPolicy
  /// The height in pixels, as seen, over which pictures are scaled down; `nil` to take them as they
  /// are.
  public var maxHeight: Int?
  /// Whether the tags that say where and with what device it was made are kept.
  public var keepsMetadata: Bool

  /// Makes options.
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
