public import Foundation
public import Holdfast

/// A habit that a person builds up or gives up.
public struct Habit: JournalRecord {
  /// The person whose habit it is by default.
  public static let defaultUser = "me"
  /// The first day that a habit may have.
  public static let firstDay = "1900-01-01"
  /// The largest goal, baseline and count.
  static let largest = 1_000_000_000

  /// The habit's identity.
  public let id: UUID
  /// Whose habit it is.
  public let userID: String
  /// The name.
  public var name: String
  /// The description. It may be empty.
  public var habitDescription: String
  /// A symbol's name or an emoji; may be empty.
  public var icon: String
  /// The colour.
  public var color: HabitColor
  /// Whether it is built up or given up.
  public var habitType: HabitType
  /// How much completes a day: at least this for a habit to build, at most this for one to give up.
  public var goalCount: Int
  /// The unit of ``goalCount``, such as `times`.
  public var goalUnit: String
  /// The days on which it appears.
  public var schedule: HabitSchedule
  /// The daily count before the goal; only for a habit to give up.
  public var baselineCount: Int?
  /// The unit of ``baselineCount``.
  public var baselineUnit: String?
  /// The first day.
  public var startDay: Day
  /// The last day; `nil` if it goes on.
  public var endDay: Day?
  /// The recording that says why.
  public var recordingID: RecordingID?
  /// When it was added.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  /// Makes a habit. It appears every day until ``schedule`` is set.
  public init(
    id: UUID = UUID(), userID: String = Habit.defaultUser, name: String,
    habitType: HabitType = .formation, goalCount: Int = 1, goalUnit: String = "time",
    schedule: HabitSchedule = .daily, startDay: Day, createdAt: Date
  ) {
    self.id = id
    self.userID = userID
    self.name = name
    habitDescription = ""
    icon = ""
    color = .blue
    self.habitType = habitType
    self.goalCount = goalCount
    self.goalUnit = goalUnit
    self.schedule = schedule
    self.startDay = startDay
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try userID.validateAsUser()
    guard name.nonBlank != nil else { throw RuleError("the habit has no name") }
    try name.validate("the habit's name has", limit: 200)
    try habitDescription.validate("the description has", limit: 2000)
    try icon.validate("the icon has", limit: 40)
    guard (1...Self.largest).contains(goalCount) else {
      throw RuleError("goal \(goalCount): it goes from 1 to \(Self.largest)")
    }
    guard goalUnit.nonBlank != nil else { throw RuleError("the goal has no unit") }
    try goalUnit.validate("the goal's unit has", limit: 40)
    try schedule.validate()
    try baselineUnit?.validate("the baseline's unit has", limit: 40)
    try validateBaseline()
    guard startDay.description >= Self.firstDay else {
      throw RuleError("first day \(startDay): a habit begins on \(Self.firstDay) or later")
    }
    if let endDay, endDay < startDay {
      throw RuleError("last day \(endDay): it is before the first one, \(startDay)")
    }
  }

  private func validateBaseline() throws(RuleError) {
    switch (habitType, baselineCount) {
    case (.formation, nil): break
    case (.formation, let baseline?):
      throw RuleError("baseline \(baseline): only a habit of the type breaking has one")
    case (.breaking, nil):
      throw RuleError("a habit of the type breaking needs a baseline: how much it was before")
    case (.breaking, let baseline?):
      guard baseline > goalCount else {
        throw RuleError(
          "baseline \(baseline): it is more than the goal of a habit of the type breaking, "
            + "\(goalCount)")
      }
      guard baseline <= Self.largest else {
        throw RuleError("baseline \(baseline): it is at most \(Self.largest)")
      }
    }
  }

  /// The goal with its unit, and the schedule: `20 pages, every day`.
  public var plan: String { "\(text(ofGoal: goalCount)), \(schedule.text)" }

  /// Returns a goal with its unit: `20 pages`, or `at most 5 cigarettes` of a habit to give up.
  public func text(ofGoal count: Int) -> String {
    let unit = ["time", "times"].contains(goalUnit) ? (count == 1 ? "time" : "times") : goalUnit
    return "\(habitType == .breaking ? "at most " : "")\(count) \(unit)"
  }

  /// The habit as one line of text.
  public var line: String { "\(name), \(plan)" }
}

extension String {
  /// Refuses a person's name that the catalog would refuse.
  func validateAsUser() throws(RuleError) {
    guard nonBlank != nil else { throw RuleError("the user has no name") }
    try validate("the user's name has", limit: 200)
  }
}

extension Habit {
  private enum CodingKeys: String, CodingKey {
    case id
    case userID = "userId"
    case name, habitDescription, icon, color, habitType, goalCount, goalUnit
    case baselineCount, baselineUnit, startDay, endDay
    case recordingID = "recordingId"
    case createdAt, modifiedAt
  }

  /// Reads a habit. Its schedule is among its values.
  ///
  /// - Throws: `RuleError` if the schedule's values do not belong together.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(UUID.self, forKey: .id)
    userID = try container.decode(String.self, forKey: .userID)
    name = try container.decode(String.self, forKey: .name)
    habitDescription = try container.decode(String.self, forKey: .habitDescription)
    icon = try container.decode(String.self, forKey: .icon)
    color = try container.decode(HabitColor.self, forKey: .color)
    habitType = try container.decode(HabitType.self, forKey: .habitType)
    goalCount = try container.decode(Int.self, forKey: .goalCount)
    goalUnit = try container.decode(String.self, forKey: .goalUnit)
    schedule = try HabitSchedule(from: decoder)
    baselineCount = try container.decodeIfPresent(Int.self, forKey: .baselineCount)
    baselineUnit = try container.decodeIfPresent(String.self, forKey: .baselineUnit)
    startDay = try container.decode(Day.self, forKey: .startDay)
    endDay = try container.decodeIfPresent(Day.self, forKey: .endDay)
    recordingID = try container.decodeIfPresent(RecordingID.self, forKey: .recordingID)
    createdAt = try container.decode(Date.self, forKey: .createdAt)
    modifiedAt = try container.decodeIfPresent(Date.self, forKey: .modifiedAt)
  }

  /// Writes the habit, with its schedule among its values.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(userID, forKey: .userID)
    try container.encode(name, forKey: .name)
    try container.encode(habitDescription, forKey: .habitDescription)
    try container.encode(icon, forKey: .icon)
    try container.encode(color, forKey: .color)
    try container.encode(habitType, forKey: .habitType)
    try container.encode(goalCount, forKey: .goalCount)
    try container.encode(goalUnit, forKey: .goalUnit)
    try schedule.encode(to: encoder)
    try container.encodeIfPresent(baselineCount, forKey: .baselineCount)
    try container.encodeIfPresent(baselineUnit, forKey: .baselineUnit)
    try container.encode(startDay, forKey: .startDay)
    try container.encodeIfPresent(endDay, forKey: .endDay)
    try container.encodeIfPresent(recordingID, forKey: .recordingID)
    try container.encode(createdAt, forKey: .createdAt)
    try container.encodeIfPresent(modifiedAt, forKey: .modifiedAt)
  }

  /// How the registry treats habits.
  public static let declaration = RecordDeclaration<Habit>(
    RecordKind("habits", singular: "habit"), table: "habit",
    children: [
      ChildTable(
        "habitWeekday", owner: "habitId", list: "weekdays", of: .value("weekday"), position: nil)
    ],
    link: RecordingLink(\.recordingID, newest: "createdAt", role: "why") {
      "\($0.startDay)  \($0.line)"
    },
    csv: .withDates([
      .init("userId", \.userID), .init("name", \.name),
      .init("habitDescription", \.habitDescription), .init("icon", \.icon),
      .init("color") { .word($0.color.description) }, .init("habitType", \.habitType),
      .init("goalCount", \.goalCount), .init("goalUnit", \.goalUnit),
      .init("scheduleType", \.schedule.type), .init("scheduleCount", \.schedule.count),
      .init("weekdays") { .words($0.schedule.weekdays.map(\.rawValue)) },
      .init("baselineCount", \.baselineCount), .init("baselineUnit", \.baselineUnit),
      .init("startDay", \.startDay), .init("endDay", \.endDay), .init("recordingId", \.recordingID),
    ]),
    following: { habit, app, _ in habit.followingHabit(app) },
    labelled: LabelledWords(in: \.habitDescription, ["Note"], limit: 2000))
}
