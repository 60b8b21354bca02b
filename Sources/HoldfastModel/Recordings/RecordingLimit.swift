/// How long a recording may last.
public enum RecordingLimit {
  /// The cap in seconds, inclusive.
  public static let seconds = 120.0
  /// What is allowed beyond the cap, in seconds: encoders pad the sound to whole frames.
  public static let padding = 0.1
  /// The longest presented duration that is taken, in seconds.
  public static let longest = seconds + padding
}
