/// How a recording is played: as a picture with or without sound, or as sound alone.
public enum RecordingType: String, Codable, Hashable, Sendable, CaseIterable {
  /// A moving picture, stored as `.mov` with a thumbnail.
  case video
  /// Sound alone, stored as `.m4a` without a thumbnail.
  case audio

  /// The extension of this type's files in the library, without the dot.
  public var fileExtension: String {
    switch self {
    case .video: "mov"
    case .audio: "m4a"
    }
  }
}

/// Why a person keeps a recording.
public enum RecordingPurpose: String, Codable, Hashable, Sendable, CaseIterable {
  /// Why the person stopped using; the default.
  case motivational
  /// A milestone, such as thirty days.
  case milestone
  /// What it was like.
  case reflection
  /// Recorded during a craving.
  case craving
}

/// How the time of a recording is known, best first.
public enum TimestampSource: String, Codable, Hashable, Sendable, CaseIterable {
  /// The QuickTime creation date, which includes a time zone.
  case quickTime
  /// The container's creation time, in UTC.
  case container
  /// A date in the name of the file.
  case fileName
  /// The time at which the file was last modified.
  case modificationTime
}
