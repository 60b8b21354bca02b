public import Foundation
public import Holdfast

/// When something was done, with the time zone.
public struct HabitAction: Hashable, Sendable, Codable {
  /// The moment.
  public var timestamp: Date
  /// The time zone in which it was logged, in minutes east of Greenwich at that moment.
  public var timestampOffset: Int

  /// Makes an action. The default time zone is this machine's.
  public init(_ timestamp: Date, offset: Int? = nil) {
    self.timestamp = timestamp.roundedToMillisecond
    timestampOffset = offset ?? timestamp.localOffset
  }

  /// The day in the time zone.
  public var day: Day { Day(of: timestamp, offset: timestampOffset) }
}

/// The record of a habit on a day.
public struct HabitDay: JournalRecord {
  /// The most moments that a day keeps.
  public static let mostActions = 1000

  /// The record's identity, which follows from the habit and the day unless it is given.
  public let id: UUID
  /// The habit.
  public let habitID: UUID
  /// The day.
  public let day: Day
  /// How often the habit was done, or how much was used of one to give up.
  public private(set) var progressCount: Int
  /// The goal of the day: the habit's when the record was made, or when it changed on that day.
  public internal(set) var goalCount: Int
  /// When the habit was done, as far as that is known: never more moments than ``progressCount``.
  public private(set) var actions: [HabitAction]
  /// How hard it was, from 1 to 5; `nil` if not rated.
  public internal(set) var difficulty: Int?
  /// A recording of the day, such as one of a milestone.
  public var recordingID: RecordingID?
  /// When it was made. A merge keeps the earlier moment.
  public internal(set) var createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?
  /// What another app's document says about the count.
  var count = AppCount()

  private enum CodingKeys: String, CodingKey {
    case id
    case habitID = "habitId"
    case day, progressCount, goalCount, actions, difficulty
    case recordingID = "recordingId"
    case createdAt, modifiedAt
  }

  /// Makes the record of a day, with nothing done yet.
  public init(
    id: UUID? = nil, habitID: UUID, day: Day, goalCount: Int, recordingID: RecordingID? = nil,
    createdAt: Date
  ) {
    self.id = id ?? UUID(named: "habit day", habitID.uuidString, day.description)
    self.habitID = habitID
    self.day = day
    progressCount = 0
    self.goalCount = goalCount
    actions = []
    self.recordingID = recordingID
    self.createdAt = createdAt.roundedToMillisecond
  }

  // MARK: Figures

  /// Whether the day's goal is met: reached for a habit to build, kept for one to give up.
  public func isComplete(_ type: HabitType) -> Bool { type.isMet(goalCount, by: progressCount) }

  /// Returns the day's goal after a change of its habit on that day or before it.
  ///
  /// If the day is complete and the new goal is harder, it keeps its own.
  func goal(changing before: Habit, to habit: Habit) -> Int {
    let isHarder = habit.habitType.isHarder(habit.goalCount, than: goalCount)
    return isComplete(before.habitType) && isHarder ? goalCount : habit.goalCount
  }

  /// Whether it was more than the goal: more than planned, or over the limit.
  public var isOverGoal: Bool { progressCount > goalCount }

  /// Returns how much of the goal is met, from 0 to 1.
  ///
  /// For a habit to give up it is 1 up to the goal, and falls to 0 at the baseline.
  public func completionPercentage(of habit: Habit) -> Double {
    guard goalCount > 0 else { return 0 }
    guard habit.habitType == .breaking else {
      return min(Double(progressCount) / Double(goalCount), 1)
    }
    guard isOverGoal else { return 1 }
    // An older day may have another goal, which the baseline does not exceed.
    guard let baseline = habit.baselineCount, baseline > goalCount else { return 0 }
    return min(max(Double(baseline - progressCount) / Double(baseline - goalCount), 0), 1)
  }

  /// Returns whether another version of the day, or its deletion, undoes its completion.
  func isTakenBack(by new: HabitDay?, of type: HabitType) -> Bool {
    type.isTakenBack(goalCount, from: progressCount, to: new?.progressCount)
  }

  // MARK: Changes

  /// Counts one more, and keeps its moment if that is known.
  ///
  /// Nothing is counted beyond a thousand million. A moment beyond ``mostActions`` is not kept.
  public mutating func increment(at action: HabitAction? = HabitAction(Date())) {
    guard progressCount < Habit.largest else { return }
    progressCount += 1
    if let action, actions.count < Self.mostActions { actions.append(action) }
  }

  /// Removes one count, with the moment that was added last. At 0 it does nothing.
  public mutating func decrement() {
    guard progressCount > 0 else { return }
    progressCount -= 1
    _ = actions.popLast()
  }

  /// Sets the count, and replaces the moments by those that are known.
  public mutating func setProgress(_ count: Int, actions: [HabitAction] = []) {
    progressCount = count
    self.actions = actions
  }

  /// Sets how hard it was. A number below 1 counts as 1, and one above 5 as 5.
  public mutating func setDifficulty(_ rating: Int) { difficulty = min(max(rating, 1), 5) }

  // MARK: Rules

  /// The earliest possible moment: its last action, and not before the day begins anywhere on
  /// earth.
  public var happenedAt: Date? {
    let dawn = Date(timeIntervalSince1970: Double(day.number) * 86_400)
      .addingTimeInterval(Double(-Entry.offsets.upperBound) * 60)
    return actions.map(\.timestamp).max().map { max($0, dawn) } ?? dawn
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    guard (0...Habit.largest).contains(progressCount) else {
      throw RuleError("count \(progressCount): it goes from 0 to \(Habit.largest)")
    }
    guard (1...Habit.largest).contains(goalCount) else {
      throw RuleError("goal \(goalCount): it goes from 1 to \(Habit.largest)")
    }
    if let difficulty { try Self.validate(difficulty: difficulty) }
    guard actions.count <= min(progressCount, Self.mostActions) else {
      throw RuleError(
        "\(actions.count) moments for a count of \(progressCount): there are never more moments "
          + "than the count, and at most \(Self.mostActions)")
    }
    for action in actions { try Entry.validate(offset: action.timestampOffset) }
  }

  /// Refuses a difficulty that the catalog would refuse.
  ///
  /// - Throws: `RuleError`.
  public static func validate(difficulty: Int) throws(RuleError) {
    guard (1...5).contains(difficulty) else {
      throw RuleError("difficulty \(difficulty): it goes from 1 to 5")
    }
  }

  /// How the registry treats days.
  public static let declaration = RecordDeclaration<HabitDay>(
    RecordKind("habitDays", singular: "habit day", plural: "habit days"), table: "habitDay",
    children: [
      ChildTable(
        "habitAction", owner: "habitDayId", list: "actions",
        of: .object(["timestamp", "timestampOffset"]))
    ],
    link: RecordingLink(\.recordingID, newest: "day", role: "recorded on") {
      "\($0.day)  \($0.progressCount) of \($0.goalCount)"
    },
    references: [
      RecordReference(needed: { $0.habitID.uuidString }, column: "habitId", to: Habit.self)
    ], counters: [.minimum(\.createdAt)],
    csv: .withDates([
      .init("habitId", \.habitID), .init("day", \.day), .init("progressCount", \.progressCount),
      .init("goalCount", \.goalCount),
      .init("actions") { .words($0.actions.map { JSONFormat.text($0.timestamp) }) },
      .init("difficulty", \.difficulty), .init("recordingId", \.recordingID),
    ]), following: { day, app, _ in day.following(app) },
    union: { $0.union($1) })
}

extension HabitDay {
  /// Returns what was logged on a day in two libraries: every moment, and at least the larger
  /// count.
  func union(_ other: HabitDay) -> HabitDay {
    let counts = [(progressCount, goalCount), (other.progressCount, other.goalCount)]
    let (count, goal) = counts.max(by: <) ?? counts[0]
    var day = self
    day.goalCount = goal
    day.difficulty = [difficulty, other.difficulty].compactMap(\.self).max()
    day.recordingID =
      [recordingID, other.recordingID].compactMap(\.self).max { $0.uuidString < $1.uuidString }
    // One moment may have been logged several times. Of several zones, the one furthest east is
    // kept.
    let zones = [actions, other.actions].map { actions in
      Dictionary(grouping: actions, by: \.timestamp)
        .mapValues { $0.map(\.timestampOffset).sorted(by: >) }
    }
    let all = zones[0].merging(zones[1]) { one, other in
      let (longer, shorter) = one.count > other.count ? (one, other) : (other, one)
      return zip(longer, shorter).map(max) + longer.dropFirst(shorter.count)
    }.sorted { $0.key < $1.key }.flatMap { moment, zones in
      zones.map { HabitAction(moment, offset: $0) }
    }.prefix(Self.mostActions)
    day.setProgress(max(count, all.count), actions: Array(all))
    return day
  }

  /// Reads a day.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(UUID.self, forKey: .id)
    habitID = try values.decode(UUID.self, forKey: .habitID)
    day = try values.decode(Day.self, forKey: .day)
    progressCount = try values.decode(Int.self, forKey: .progressCount)
    goalCount = try values.decode(Int.self, forKey: .goalCount)
    actions = try values.decode([HabitAction].self, forKey: .actions)
    difficulty = try values.decodeIfPresent(Int.self, forKey: .difficulty)
    recordingID = try values.decodeIfPresent(RecordingID.self, forKey: .recordingID)
    createdAt = try values.decode(Date.self, forKey: .createdAt)
    modifiedAt = try values.decodeIfPresent(Date.self, forKey: .modifiedAt)
    count = try AppCount(from: decoder)
  }
}
