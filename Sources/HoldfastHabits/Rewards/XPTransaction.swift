public import Foundation
public import Holdfast

/// Experience points that a person got or lost.
public struct XPTransaction: JournalRecord {
  /// The XP of a complete day.
  public static let completeDay = 50
  /// Returns the identity of the transaction with a person's XP of another app.
  static func carriedOver(for user: String) -> UUID { UUID(named: "XP carried over", user) }

  /// The most XP of a transaction.
  static let largest = 1_000_000_000

  /// The transaction's identity.
  public let id: UUID
  /// The person who got or lost them.
  public let userID: String
  /// How many; negative if they were taken back, and never 0.
  ///
  /// It only changes for the XP that were carried over from another app, which grow there.
  public internal(set) var amount: Int
  /// Why.
  public let reason: String
  /// The day that they are for; `nil` if they are not for a day.
  public let day: Day?
  /// When it was. A merge keeps the earlier moment of a transaction.
  public internal(set) var timestamp: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id
    case userID = "userId"
    case amount, reason, day, timestamp, modifiedAt
  }

  /// Makes a transaction.
  public init(
    id: UUID = UUID(), userID: String, amount: Int, reason: String, day: Day? = nil, timestamp: Date
  ) {
    self.id = id
    self.userID = userID
    self.amount = amount
    self.reason = reason
    self.day = day
    self.timestamp = timestamp.roundedToMillisecond
  }

  /// When it was.
  public var createdAt: Date { timestamp }
  /// When it was.
  public var happenedAt: Date? { timestamp }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try userID.validateAsUser()
    guard amount != 0, (-Self.largest...Self.largest).contains(amount) else {
      throw RuleError(
        "\(amount) XP: it is not 0, and goes from -\(Self.largest) to \(Self.largest)")
    }
    guard reason.nonBlank != nil else { throw RuleError("the XP have no reason") }
    try reason.validate("the reason has", limit: 200)
  }

  /// XP that were carried over are those of the app's latest document, with its moment.
  private static let growth = Counter<XPTransaction> { other, own in
    if own.id != carriedOver(for: own.userID) || other.amount == own.amount {
      own.timestamp = min(own.timestamp, other.timestamp)
    } else if other.amount > own.amount {
      (own.amount, own.timestamp) = (other.amount, other.timestamp)
    }
  }

  /// How the registry treats transactions.
  public static let declaration = RecordDeclaration<XPTransaction>(
    RecordKind("xpTransactions", singular: "XP transaction", plural: "XP transactions"),
    table: "xpTransaction", counters: [growth],
    csv: [
      .init("id", \.id), .init("userId", \.userID), .init("amount", \.amount),
      .init("reason", \.reason), .init("day", \.day), .init("timestamp", \.timestamp),
      .init("modifiedAt", \.modifiedAt),
    ])
}
