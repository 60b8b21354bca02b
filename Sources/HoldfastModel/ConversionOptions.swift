/// What a person wants to be made of a source.
public struct ConversionOptions: Codable, Hashable, Sendable {
  /// What happens to a source that is longer than a recording may last.
  public var overLimit: OverLimitPolicy
  /// Which video is wanted.
  public var video: VideoPolicy
  /// Whether the tags that say where and with what device it was made are kept.
  public var keepsMetadata: Bool

  /// Makes options.
  public init(
    overLimit: OverLimitPolicy = .refuse, video: VideoPolicy = .auto, keepsMetadata: Bool = false
  ) {
    self.overLimit = overLimit
    self.video = video
    self.keepsMetadata = keepsMetadata
  }
}
