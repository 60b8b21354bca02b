public import Foundation
public import Holdfast

/// An achievement of a person. It is unlocked once, and never taken back.
public struct Achievement: JournalRecord {
  /// The achievement's identity, which follows from the person and ``achievementID`` unless it is
  /// given.
  public let id: UUID
  /// Who achieved it.
  public let userID: String
  /// The kind of achievement, such as `first_habit`: 1 to 64 small letters, digits and `_`.
  public let achievementID: String
  /// Its name.
  public let title: String
  /// The reason for it.
  public let text: String
  /// When it was achieved.
  public let unlockedAt: Date
  /// The XP that came with it.
  public let xpAwarded: Int
  /// A recording of it.
  public var recordingID: RecordingID?
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id
    case userID = "userId"
    case achievementID = "achievementId"
    case title, text, unlockedAt, xpAwarded
    case recordingID = "recordingId"
    case modifiedAt
  }

  /// Makes an achievement.
  public init(
    id: UUID? = nil, userID: String = Habit.defaultUser, achievementID: String, title: String,
    text: String, unlockedAt: Date, xpAwarded: Int = 0
  ) {
    self.id = id ?? UUID(named: "achievement", userID, achievementID)
    self.userID = userID
    self.achievementID = achievementID
    self.title = title
    self.text = text
    self.unlockedAt = unlockedAt.roundedToMillisecond
    self.xpAwarded = xpAwarded
  }

  /// When it was achieved.
  public var createdAt: Date { unlockedAt }
  /// When it was achieved.
  public var happenedAt: Date? { unlockedAt }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try userID.validateAsUser()
    guard achievementID.wholeMatch(of: /[a-z0-9_]{1,64}/) != nil else {
      throw RuleError(
        "achievement \"\(achievementID.cut(to: 80).escapedForDisplay)\": it has 1 to 64 small "
          + "letters, digits and _")
    }
    guard title.nonBlank != nil else { throw RuleError("the achievement has no title") }
    try title.validate("the achievement's title has", limit: 200)
    try text.validate("the achievement's text has", limit: 2000)
    guard (0...XPTransaction.largest).contains(xpAwarded) else {
      throw RuleError("\(xpAwarded) XP: an achievement gives 0 to \(XPTransaction.largest)")
    }
  }

  /// How the registry treats achievements.
  public static let declaration = RecordDeclaration<Achievement>(
    RecordKind("achievements", singular: "achievement"), table: "achievement",
    link: RecordingLink(\.recordingID, newest: "unlockedAt", role: "achieved") {
      "\($0.unlockedAt.localText)  \($0.title)"
    },
    csv: [
      .init("id", \.id), .init("userId", \.userID),
      .init("achievementId") { .word($0.achievementID) }, .init("title", \.title),
      .init("text", \.text), .init("unlockedAt", \.unlockedAt), .init("xpAwarded", \.xpAwarded),
      .init("recordingId", \.recordingID), .init("modifiedAt", \.modifiedAt),
    ])
}

/// The achievements that Holdfast itself knows.
enum KnownAchievement: String, CaseIterable {
  case firstHabit = "first_habit"
  case weekStreak = "week_streak"

  /// The number of complete days in a row for ``weekStreak``.
  static let week = 7

  /// Returns the achievement of a person. It has no XP: days give them.
  func unlocked(by user: String, at moment: Date) -> Achievement {
    let (title, text) =
      switch self {
      case .firstHabit: ("A first step", "You completed a habit for the first time.")
      case .weekStreak: ("A whole week", "\(Self.week) days in a row were complete.")
      }
    return Achievement(
      userID: user, achievementID: rawValue, title: title, text: text, unlockedAt: moment)
  }
}
