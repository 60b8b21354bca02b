public import Holdfast

/// The days on which a habit appears.
public enum HabitSchedule: Hashable, Sendable {
  /// Every day.
  case daily
  /// Every so many days, counted from the first day. The number goes from 1 to 365.
  case everyNDays(Int)
  /// Certain days of the week: at least one, each once.
  case specificWeekdays([HabitWeekday])
  /// So many days a week, freely chosen: 1 to 7. A week goes from Monday to Sunday.
  case frequencyWeekly(Int)
  /// So many days of a calendar month, freely chosen: 1 to 31.
  case frequencyMonthly(Int)

  /// The kind.
  public var type: HabitScheduleType {
    switch self {
    case .daily: .daily
    case .everyNDays: .everyNDays
    case .specificWeekdays: .specificWeekdays
    case .frequencyWeekly: .frequencyWeekly
    case .frequencyMonthly: .frequencyMonthly
    }
  }

  /// The number; `nil` if this kind has none.
  public var count: Int? {
    switch self {
    case .daily, .specificWeekdays: nil
    case .everyNDays(let count), .frequencyWeekly(let count), .frequencyMonthly(let count): count
    }
  }

  /// The days of the week, in the order of their numbers; none for another kind.
  public var weekdays: [HabitWeekday] {
    if case .specificWeekdays(let days) = self { days.sorted() } else { [] }
  }

  /// Whether the person chooses on which days of a week or month to do it.
  public var isFlexible: Bool { [.frequencyWeekly, .frequencyMonthly].contains(type) }

  /// Makes a schedule from its parts, as the catalog has them.
  ///
  /// - Throws: `RuleError` if they do not belong together.
  public init(_ type: HabitScheduleType, count: Int?, weekdays: [HabitWeekday]) throws(RuleError) {
    guard type == .specificWeekdays || weekdays.isEmpty else {
      throw RuleError("the schedule \(type.rawValue) has no weekdays")
    }
    guard (count == nil) == (type.counts == nil) else {
      let what = count.map { "has no number, and \($0) was given" } ?? "needs a number"
      throw RuleError("the schedule \(type.rawValue) \(what)")
    }
    self =
      switch type {
      case .daily: .daily
      case .specificWeekdays: .specificWeekdays(weekdays.sorted())
      case .everyNDays: .everyNDays(count ?? 0)
      case .frequencyWeekly: .frequencyWeekly(count ?? 0)
      case .frequencyMonthly: .frequencyMonthly(count ?? 0)
      }
  }

  /// Refuses a schedule that the catalog would refuse.
  ///
  /// - Throws: `RuleError`.
  public func validate() throws(RuleError) {
    if let count, let counts = type.counts, !counts.contains(count) {
      let words =
        switch type {
        case .frequencyWeekly: "\(count) times a week"
        case .frequencyMonthly: "\(count) times a month"
        case .daily, .everyNDays, .specificWeekdays: "every \(count) days"
        }
      throw RuleError("\(words): give \(counts.lowerBound) to \(counts.upperBound)")
    }
    guard case .specificWeekdays(let days) = self else { return }
    guard !days.isEmpty else { throw RuleError("the schedule has no weekday; give at least one") }
    guard Set(days).count == days.count else {
      throw RuleError("the schedule specificWeekdays names a weekday twice")
    }
  }

  /// The schedule in words: `every 3 days`.
  public var text: String {
    switch self {
    case .daily: "every day"
    case .everyNDays(1): "every day"
    case .everyNDays(let count): "every \(count) days"
    case .specificWeekdays(let days): days.sorted().map(\.rawValue).joined(separator: ", ")
    case .frequencyWeekly(let count): "\(count) \(count == 1 ? "day" : "days") a week"
    case .frequencyMonthly(let count): "\(count) \(count == 1 ? "day" : "days") a month"
    }
  }
}

extension HabitSchedule: Codable {
  private enum CodingKeys: String, CodingKey { case scheduleType, scheduleCount, weekdays }

  /// Reads a schedule from the values of its habit.
  ///
  /// - Throws: `RuleError` if they do not belong together.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      container.decode(HabitScheduleType.self, forKey: .scheduleType),
      count: container.decodeIfPresent(Int.self, forKey: .scheduleCount),
      weekdays: container.decodeIfPresent([HabitWeekday].self, forKey: .weekdays) ?? [])
  }

  /// Writes the schedule among the values of its habit.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(type, forKey: .scheduleType)
    try container.encodeIfPresent(count, forKey: .scheduleCount)
    try container.encode(weekdays, forKey: .weekdays)
  }
}
