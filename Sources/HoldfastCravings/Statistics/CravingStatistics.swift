public import Holdfast

/// The figures of a period's cravings.
///
/// Breakdowns list only values that occur.
public struct CravingStatistics: Codable, Hashable, Sendable {
  /// The number of cravings.
  public var count: Int
  /// Their average intensity; `nil` without cravings.
  public var averageIntensity: Double?
  /// How the intensity changed over time.
  public var intensity: IntensityHistory
  /// The number of cravings with each trigger, most frequent first.
  public var byTrigger: [Tally<Trigger>]
  /// The number of cravings in each kind of place, most frequent first. Cravings without a location
  /// are not counted here.
  public var byLocation: [Tally<LocationKind>]
  /// The number of cravings in each hour of the local day, from 0 to 23.
  public var byHour: [Tally<Int>]
  /// The number of cravings on each local day of the week, from Monday.
  public var byWeekday: [Tally<Weekday>]
  /// The ten recordings that helped with the most cravings, most helpful first.
  public var helpedBy: [RecordingTally]
}

/// How the intensity of cravings changed, over the local days that had any.
public struct IntensityHistory: Codable, Hashable, Sendable {
  /// The days that had cravings, in order of time.
  public var byDay: [IntensityPoint] = []
  /// The weeks that had cravings, each given by its Monday.
  public var byWeek: [IntensityPoint] = []
  /// The months that had cravings, each given by its first day.
  public var byMonth: [IntensityPoint] = []
  /// By how much the daily averages rise per week; `nil` with fewer than two days.
  ///
  /// This is the slope of the least-squares line through the daily averages. Each day has the same
  /// weight.
  public var trendPerWeek: Double?
}

/// The cravings of a day, a week or a month.
public struct IntensityPoint: Codable, Hashable, Sendable {
  /// The first local day of the period, such as `2025-10-25`.
  public var day: String
  /// The number of cravings.
  public var count: Int
  /// Their average intensity.
  public var average: Double
}

/// The kinds of place by which cravings are counted.
public enum LocationKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// At home.
  case home = "Home"
  /// At work.
  case work = "Work"
  /// Among people.
  case social = "Social"
  /// Outdoors.
  case outside = "Outside"
  /// In a car.
  case car = "Car"
  /// Any place that was logged as coordinates.
  case coordinates = "Coordinates"

  /// The kind's name for a person to read.
  ///
  /// - SeeAlso: ``Location/label``
  public var label: String { self == .coordinates ? Location.coordinatesLabel : rawValue }
}

/// The days of the week.
public enum Weekday: String, Codable, Hashable, Sendable, CaseIterable {
  /// The first day of the week.
  case monday = "Monday"
  /// The second day of the week.
  case tuesday = "Tuesday"
  /// The third day of the week.
  case wednesday = "Wednesday"
  /// The fourth day of the week.
  case thursday = "Thursday"
  /// The fifth day of the week.
  case friday = "Friday"
  /// The sixth day of the week.
  case saturday = "Saturday"
  /// The last day of the week.
  case sunday = "Sunday"
}
