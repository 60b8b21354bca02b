import Holdfast

/// Which messages to return, and in which order.
public struct MessageQuery: Hashable, Sendable {
  /// The order of the results. Messages that compare equal are ordered by ID.
  public enum Sort: String, Codable, Hashable, Sendable, CaseIterable {
    /// By category; in a category the lowest priority first, then the least shown.
    case priority
    /// The least shown first, then the lowest priority, then the least recently shown: the order in
    /// which they would be shown.
    case shown
  }

  /// Only messages of this category.
  public var category: MessageCategory?
  /// Only messages that a person wrote, or only those that came with the library; `nil` for both.
  public var isCustom: Bool?
  /// Only messages that may be shown, or only hidden ones; `nil` for both.
  public var isActive: Bool?
  /// The order of the results.
  public var sort: Sort

  /// Makes a query. Without arguments, it returns every message by category and priority.
  public init(
    category: MessageCategory? = nil, isCustom: Bool? = nil, isActive: Bool? = nil,
    sort: Sort = .priority
  ) {
    self.category = category
    self.isCustom = isCustom
    self.isActive = isActive
    self.sort = sort
  }
}
