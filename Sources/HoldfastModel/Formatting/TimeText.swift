public import Foundation

extension Date {
  /// The moment on this machine's clock, such as `2025-10-25 15:42`.
  public var localText: String { displayText(in: .current) }

  /// Returns the moment on a clock that is this many minutes ahead of UTC.
  ///
  /// Foundation has no zone more than 18 hours ahead.
  package func displayText(offset minutes: Int) -> String {
    addingTimeInterval(Double(minutes) * 60).displayText(in: .gmt)
  }

  /// Returns the moment on the clock of a zone, such as `2025-10-25 15:42`.
  func displayText(in zone: TimeZone) -> String {
    formatted(
      VerbatimFormatStyle(
        format: """
          \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
          \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)
          """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: zone,
        calendar: Calendar(identifier: .gregorian)))
  }

  /// Returns the moment on the clock of a zone that is this many minutes east of Greenwich.
  ///
  /// If that clock shows another time than this machine's, the zone follows: `2025-10-25 15:42
  /// +02:00`.
  public func localText(offset: Int) -> String {
    let text = displayText(offset: offset)
    guard offset != localOffset else { return text }
    let (hours, minutes) = abs(offset).quotientAndRemainder(dividingBy: 60)
    let sign = offset < 0 ? "-" : "+"
    return "\(text) \(sign)\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
  }

  /// The offset of this machine's time zone at this moment, in minutes east of Greenwich.
  public var localOffset: Int { TimeZone.current.minutes(at: self) }
}

extension TimeZone {
  /// Returns the zone's offset at a moment, in minutes east of Greenwich.
  func minutes(at moment: Date) -> Int { secondsFromGMT(for: moment) / 60 }
}

extension Double {
  /// The duration in seconds as a clock shows it: `0:12`, `2:00`.
  public var clockDuration: String {
    Self.clock(Int(Swift.max(0, Swift.min(self, 1e9)).rounded()))
  }

  /// The time in seconds as a clock shows it, with tenths: `0:59.9`.
  ///
  /// It is rounded down, because 59.96 s does not belong to the next minute.
  package var clockTenths: String {
    let tenths = flooredTenths
    return "\(Self.clock(tenths / 10)).\(tenths % 10)"
  }

  /// The time in seconds as a clock shows it, rounded down to whole seconds: `0:59`.
  public var clockTime: String { Self.clock(flooredTenths / 10) }

  private var flooredTenths: Int {
    Int((Swift.max(0, Swift.min(self, 1e9)) * 10 + 1e-6).rounded(.down))
  }

  private static func clock(_ seconds: Int) -> String {
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }
}

extension Int {
  /// The number of seconds in words, for a time that is left: `1 min 27 s`.
  package var timeInWords: String {
    switch self {
    case ..<60: "\(self) s"
    case ..<3600: "\(self / 60) min \(self % 60) s"
    default: "\(self / 3600) h \(self % 3600 / 60) min"
    }
  }
}
