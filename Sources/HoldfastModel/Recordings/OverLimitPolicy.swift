/// What happens to a source that is longer than a recording may last.
public enum OverLimitPolicy: String, Codable, Hashable, Sendable, CaseIterable {
  /// It is refused, with its length.
  case refuse
  /// Its first 120 s are kept.
  case trim
  /// It becomes several recordings of at most 120 s.
  case split
}
