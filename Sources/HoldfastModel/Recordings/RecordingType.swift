/// What a recording is to its player: a picture with or without sound, or sound alone.
public enum RecordingType: String, Codable, Hashable, Sendable, CaseIterable {
  /// A moving picture; stored as `.mov` with a thumbnail.
  case video
  /// Sound alone; stored as `.m4a`, without a thumbnail.
  case audio

  /// The extension of the files of this type in the library, without the dot.
  public var fileExtension: String {
    switch self {
    case .video: "mov"
    case .audio: "m4a"
    }
  }
}

/// Why a person keeps a recording.
public enum RecordingPurpose: String, Codable, Hashable, Sendable, CaseIterable {
  /// Why I stopped; the default.
  case motivational
  /// Thirty days done.
  case milestone
  /// What it was like.
  case reflection
  /// Made during a craving.
  case craving
}

/// Where the time at which a recording was made comes from, best first.
public enum TimestampSource: String, Codable, Hashable, Sendable, CaseIterable {
  /// The QuickTime creation date, which knows its time zone.
  case quickTime
  /// The container's creation time, in UTC.
  case container
  /// A date in the name of the file.
  case fileName
  /// The time at which the file was last modified.
  case modificationTime
}
