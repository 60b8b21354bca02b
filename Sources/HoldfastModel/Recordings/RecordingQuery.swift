/// Which recordings are asked for, in which order, and which page of them.
public struct RecordingQuery: Hashable, Sendable {
  /// The order of the answer; what is equal is ordered by ID, so that pages are stable.
  public enum Sort: String, Codable, Hashable, Sendable, CaseIterable {
    /// Newest first.
    case recent
    /// Most played first, then newest.
    case played
    /// Longest first.
    case longest
    /// By title, without regard to case and accents; those without one last, by original name.
    case title
  }

  /// Only recordings of this type.
  public var type: RecordingType?
  /// Only recordings kept for this purpose.
  public var purpose: RecordingPurpose?
  /// Only recordings whose title, notes or original name contain this text, without regard to case
  /// and accents.
  public var search: String?
  /// The order of the answer.
  public var sort: Sort
  /// How many are answered at most; `nil` for all. A negative number counts as 0.
  public var limit: Int?
  /// How many are passed over first. A negative number counts as 0.
  public var offset: Int

  /// Makes a query; without arguments it asks for every recording, newest first.
  public init(
    type: RecordingType? = nil, purpose: RecordingPurpose? = nil, search: String? = nil,
    sort: Sort = .recent, limit: Int? = nil, offset: Int = 0
  ) {
    self.type = type
    self.purpose = purpose
    self.search = search
    self.sort = sort
    self.limit = limit
    self.offset = offset
  }
}
