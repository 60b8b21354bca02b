public import Foundation

/// Which recordings to return, in which order, and which page of them.
public struct RecordingQuery: Hashable, Sendable {
  /// The order of the results. Recordings that compare equal are ordered by ID, so that pages are
  /// stable.
  public enum Sort: String, Codable, Hashable, Sendable, CaseIterable {
    /// Newest first.
    case recent
    /// Most played first, then newest.
    case played
    /// Longest first.
    case longest
    /// By title, ignoring case and accents. Recordings without a title come last, newest first.
    case title
  }

  /// Only recordings made at this moment or later.
  public var since: Date?
  /// Only recordings made before this moment.
  public var until: Date?
  /// Only recordings of this type.
  public var type: RecordingType?
  /// Only recordings kept for this purpose.
  public var purpose: RecordingPurpose?
  /// Only recordings whose title, notes or original name contain this text, or in which all of its
  /// words were said, ignoring case and accents. The last word may be the beginning of a word.
  public var search: String?
  /// The order of the results.
  public var sort: Sort
  /// The most results to return; `nil` for all. A negative number counts as 0.
  public var limit: Int?
  /// The number of results to skip first. A negative number counts as 0.
  public var offset: Int

  /// Makes a query. Without arguments, it returns every recording, newest first.
  public init(
    since: Date? = nil, until: Date? = nil, type: RecordingType? = nil,
    purpose: RecordingPurpose? = nil, search: String? = nil,
    sort: Sort = .recent, limit: Int? = nil, offset: Int = 0
  ) {
    self.since = since
    self.until = until
    self.type = type
    self.purpose = purpose
    self.search = search
    self.sort = sort
    self.limit = limit
    self.offset = offset
  }
}
