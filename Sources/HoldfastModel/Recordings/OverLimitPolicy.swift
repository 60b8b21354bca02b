/// What happens to a source that is longer than a recording may last.
public enum OverLimitPolicy: String, Codable, Hashable, Sendable, CaseIterable {
  /// Refuse the source, and report its length.
  case refuse
  /// Keep its first 120 s.
  case trim
  /// Split it into several recordings of at most 120 s.
  case split
}
