/// How long a recording may last.
public enum RecordingLimit {
  /// The cap in seconds, inclusive.
  public static let seconds = 120.0
  /// How far beyond the cap a recording may last, in seconds, because encoders pad sound to whole
  /// frames.
  public static let padding = 0.1
  /// The longest presented duration that is accepted, in seconds.
  public static let longest = seconds + padding
}
