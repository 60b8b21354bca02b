import Holdfast

/// The habits that appear on a day, with what was logged for them.
public struct HabitDayOverview: Encodable, Hashable, Sendable {
  /// A habit on the day.
  public struct Item: Encodable, Hashable, Sendable {
    /// The habit.
    public var habit: Habit
    /// Whether the day is incomplete without it.
    public var isRequired: Bool
    /// Whether it is complete.
    public var isComplete: Bool
    /// How much of the goal is met, from 0 to 1.
    public var completionPercentage: Double
    /// The habit's record of the day; `nil` if nothing was logged.
    public var record: HabitDay?

    private enum CodingKeys: String, CodingKey {
      case habit
      case isRequired = "required"
      case isComplete = "complete"
      case completionPercentage, record
    }
  }

  /// The figures of the day.
  public var figures: HabitDayFigures
  /// The habits that appear.
  public var habits: [Item]
  /// For how many habits something was logged, whether they appear or not.
  public var logged: Int
  /// How many of these are complete.
  public var loggedComplete: Int

  /// The share of the logged habits that is complete; `nil` if nothing was logged.
  public var loggedRate: Double? { logged > 0 ? Double(loggedComplete) / Double(logged) : nil }

  init(_ calendar: HabitCalendar, _ records: [HabitDay], on day: Day) {
    let records = Dictionary(records.map { ($0.habitID, $0) }, uniquingKeysWith: { $1 })
    figures = calendar.figures(of: day)
    habits = calendar.histories.filter { $0.appears(on: day) }.map { history in
      let record = records[history.habit.id]
      return Item(
        habit: history.habit, isRequired: history.isRequired(on: day),
        isComplete: history.isComplete(on: day),
        completionPercentage: record?.completionPercentage(of: history.habit) ?? 0, record: record)
    }
    let types = Dictionary(
      calendar.histories.map { ($0.habit.id, $0.habit.habitType) }, uniquingKeysWith: { $1 })
    logged = records.count
    loggedComplete = records.values.count { $0.isComplete(types[$0.habitID] ?? .formation) }
  }

  private enum CodingKeys: String, CodingKey { case habits, logged, loggedRate, rate }

  /// Writes the figures of the day, the rates and the habits.
  public func encode(to encoder: any Encoder) throws {
    try figures.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(habits, forKey: .habits)
    try container.encode(logged, forKey: .logged)
    try container.encodeIfPresent(figures.rate, forKey: .rate)
    try container.encodeIfPresent(loggedRate, forKey: .loggedRate)
  }
}

/// A day in the table of a week.
public struct LoggedDayFigures: Encodable, Hashable, Sendable {
  /// The figures of the day.
  public var figures: HabitDayFigures
  /// For how many habits something was logged.
  public var logged: Int
  /// How many of these are complete.
  public var loggedComplete: Int
  /// Whether the day is in the future, neither complete nor incomplete yet.
  public var isAhead: Bool

  private enum CodingKeys: String, CodingKey {
    case logged, loggedComplete, rate
    case isAhead = "ahead"
  }

  /// Writes the figures and the rate.
  public func encode(to encoder: any Encoder) throws {
    try figures.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(logged, forKey: .logged)
    try container.encode(loggedComplete, forKey: .loggedComplete)
    try container.encode(isAhead, forKey: .isAhead)
    try container.encodeIfPresent(figures.rate, forKey: .rate)
  }
}
