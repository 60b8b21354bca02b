public import Foundation
public import Holdfast

/// A subscription somewhere, as a record. Nothing in Holdfast depends on it.
public struct Subscription: JournalRecord {
  /// The subscription's identity.
  public let id: UUID
  /// Whose it is.
  public let userID: String
  /// Its plan.
  public var planType: SubscriptionPlan
  /// Its first day.
  public var startDate: Day
  /// Its last day, which only Premium has.
  public var endDate: Day?
  /// Whether it renews itself, as only Premium can.
  public var autoRenew: Bool
  /// When it was added.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id
    case userID = "userId"
    case planType, startDate, endDate, autoRenew, createdAt, modifiedAt
  }

  /// Makes a subscription.
  public init(
    userID: String, planType: SubscriptionPlan = .free, startDate: Day, endDate: Day? = nil,
    autoRenew: Bool = false, createdAt: Date
  ) {
    id = UUID()
    self.userID = userID.userID
    self.planType = planType
    self.startDate = startDate
    self.endDate = endDate
    self.autoRenew = autoRenew
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Returns whether it has begun and not ended.
  public func isActive(on day: Day) -> Bool {
    startDate <= day && endDate.map { day <= $0 } ?? true
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try userID.validateUser("the user's id")
    if let endDate, endDate < startDate {
      throw RuleError("the subscription ends on \(endDate), before its start on \(startDate)")
    }
    switch planType {
    case .premium where endDate == nil: throw RuleError("Premium has a last day; give endDate")
    case .free where endDate != nil, .lifetime where endDate != nil:
      throw RuleError("\(planType.rawValue) has no last day; remove endDate, or choose Premium")
    case .free where autoRenew, .lifetime where autoRenew:
      throw RuleError("\(planType.rawValue) never renews itself; turn autoRenew off")
    default: break
    }
  }

  /// Refuses a subscription that overlaps another one of the same user.
  public func validate(beside others: any RecordDatabase) throws {
    let others = try others.records(
      Subscription.self,
      clause: """
        WHERE userId = ? AND id <> ? AND startDay <= ? AND coalesce(endDay, '~') >= ?
        ORDER BY startDay, id LIMIT 1
        """,
      arguments: [
        .text(userID), .text(id.uuidString), .text(endDate?.description ?? "~"),
        .text(startDate.description),
      ])
    guard let other = others.first else { return }
    throw RuleError(
      "\(userID.escapedForDisplay) has another subscription then, "
        + "\(other.planType.rawValue) from \(other.startDate); change or delete it first")
  }

  /// How the registry treats subscriptions.
  public static let declaration = RecordDeclaration<Subscription>(
    RecordKind("subscriptions", singular: "subscription"), table: "subscription",
    columns: ["startDate": "startDay", "endDate": "endDay"],
    csv: .withDates([
      .init("userId", \.userID), .init("planType", \.planType), .init("startDate", \.startDate),
      .init("endDate", \.endDate), .init("autoRenew", \.autoRenew),
    ]))
}

/// The plan of a subscription.
public enum SubscriptionPlan: String, Vocabulary {
  /// Free of charge, without an end.
  case free = "Free"
  /// Until a last day.
  case premium = "Premium"
  /// Without an end.
  case lifetime = "Lifetime"

  /// The name for one of the words: "plan".
  public static var noun: String { "plan" }
}

extension FaithJournal {
  /// Returns subscriptions of one user or all, by their start, newest first.
  public func subscriptions(
    of user: String? = nil, limit: Int? = nil, offset: Int = 0
  ) throws -> [Subscription] {
    var list = RecordList("subscription", last: "startDay")
    if let user { list.filter("userId = ?", .text(user.userID)) }
    return try page(list, limit: limit, offset: offset)
  }
}
