/// What a library has to say of a period's cravings.
///
/// Breakdowns hold what occurs, and leave out what does not.
public struct CravingStatistics: Codable, Hashable, Sendable {
  /// How many there are.
  public var count: Int
  /// Their average intensity; `nil` where there are none.
  public var averageIntensity: Double?
  /// How the intensity went.
  public var intensity: IntensityHistory
  /// How many have each trigger, most frequent first.
  public var byTrigger: [Tally<Trigger>]
  /// How many came in each kind of place, most frequent first; those without a location are in none.
  public var byLocation: [Tally<LocationKind>]
  /// How many came in each hour of the local day, from 0 to 23.
  public var byHour: [Tally<Int>]
  /// How many came on each local day of the week, from Monday on.
  public var byWeekday: [Tally<Weekday>]
  /// The ten recordings that helped with most of them, most helpful first.
  public var helpedBy: [RecordingTally]

  /// Puts statistics together.
  public init(
    count: Int, averageIntensity: Double?, intensity: IntensityHistory,
    byTrigger: [Tally<Trigger>], byLocation: [Tally<LocationKind>], byHour: [Tally<Int>],
    byWeekday: [Tally<Weekday>], helpedBy: [RecordingTally]
  ) {
    self.count = count
    self.averageIntensity = averageIntensity
    self.intensity = intensity
    self.byTrigger = byTrigger
    self.byLocation = byLocation
    self.byHour = byHour
    self.byWeekday = byWeekday
    self.helpedBy = helpedBy
  }
}

/// How the intensity of cravings went, over the local days that had any.
public struct IntensityHistory: Codable, Hashable, Sendable {
  /// Each day that had cravings, in the order of time.
  public var byDay: [IntensityPoint]
  /// Each week that had cravings, from its Monday.
  public var byWeek: [IntensityPoint]
  /// Each month that had cravings, from its first day.
  public var byMonth: [IntensityPoint]
  /// How much the averages of the days rise in a week: the slope of the line that lies nearest to
  /// them by least squares, each day weighing the same. `nil` with fewer than two days.
  public var trendPerWeek: Double?

  /// Makes a history.
  public init(
    byDay: [IntensityPoint] = [], byWeek: [IntensityPoint] = [], byMonth: [IntensityPoint] = [],
    trendPerWeek: Double? = nil
  ) {
    self.byDay = byDay
    self.byWeek = byWeek
    self.byMonth = byMonth
    self.trendPerWeek = trendPerWeek
  }
}

/// The cravings of a day, a week or a month.
public struct IntensityPoint: Codable, Hashable, Sendable {
  /// The first local day, such as `2025-10-25`.
  public var day: String
  /// How many cravings there were.
  public var count: Int
  /// Their average intensity.
  public var average: Double

  /// Makes a point.
  public init(day: String, count: Int, average: Double) {
    self.day = day
    self.count = count
    self.average = average
  }
}

/// The kinds of place that cravings are counted by.
public enum LocationKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// At home.
  case home = "Home"
  /// At work.
  case work = "Work"
  /// Among people.
  case social = "Social"
  /// In the open.
  case outside = "Outside"
  /// In a car.
  case car = "Car"
  /// Wherever coordinates were logged.
  case coordinates = "Coordinates"
}

/// The days of the week.
public enum Weekday: String, Codable, Hashable, Sendable, CaseIterable {
  /// The first one.
  case monday = "Monday"
  /// The second one.
  case tuesday = "Tuesday"
  /// The third one.
  case wednesday = "Wednesday"
  /// The fourth one.
  case thursday = "Thursday"
  /// The fifth one.
  case friday = "Friday"
  /// The sixth one.
  case saturday = "Saturday"
  /// The last one.
  case sunday = "Sunday"
}
