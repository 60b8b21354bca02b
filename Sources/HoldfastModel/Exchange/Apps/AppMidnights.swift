public import Foundation

/// The midnights by which an app names its days.
///
/// An app may have a day as the moment of its midnight on the phone, without the time zone. So that
/// such a day is the same wherever it is imported, its time zone is one in which that moment is
/// midnight.
public struct AppMidnights: Sendable {
  /// The time zones in which days began that did not begin at midnight in this machine's, in
  /// minutes east of Greenwich.
  private var offsets: Set<Int> = []
  /// The moments that the app has for its days.
  private let moments: [Date]

  /// Finds the time zones of an app's days.
  ///
  /// A moment at a full hour need not be a midnight. It is one if what happened on the day came in
  /// the hours after it, also on the next day by this machine's clock. Most of the days must be so
  /// that do not begin at midnight here.
  ///
  /// - Parameter days: What happened on each day, by the moment that the app has for the day.
  public init(_ days: [Date: [Date]]) {
    moments = days.keys.sorted()
    let used = days.filter { !$0.value.isEmpty && !Self.isMidnightHere($0.key) }
    let midnights = used.filter { midnight, moments in
      // A day may have 25 hours.
      moments.allSatisfy { $0 >= midnight && $0 < midnight.addingTimeInterval(25 * 3600) }
        && Self.offset(ofMidnight: midnight) != nil
    }.keys
    let areShown = midnights.contains { midnight in
      let day = Day(now: midnight)
      return used[midnight]?.contains { Day(now: $0) != day } == true
    }
    if areShown, 2 * midnights.count > used.count {
      offsets = Set(midnights.compactMap(Self.offset))
    }
  }

  /// Returns the time zone in which a day began; `nil` if it is this machine's, or the value names
  /// its own.
  public func offset(of day: AppValue) -> Int? {
    guard case (let midnight, nil)? = day.moment, let offset = Self.offset(ofMidnight: midnight)
    else { return nil }
    // The clocks may have been changed between two days.
    return offsets.contains { abs($0 - offset) <= 60 } ? offset : nil
  }

  /// Returns the day that a value names as text, or by its midnight. Another moment is one of this
  /// machine's day.
  public func day(_ value: AppValue) -> Day? {
    guard let offset = offset(of: value), let midnight = value.date else { return value.day }
    return Day(of: midnight, offset: offset)
  }

  /// Returns the day on which something happened, by the day that began before. Without one, it is
  /// this machine's day.
  public func day(at value: AppValue) -> Day? {
    guard offset(of: value) == nil, case (let moment, nil)? = value.moment,
      let midnight = midnight(before: moment),
      let offset = offset(at: moment, in: .text(JSONFormat.text(midnight)))
    else { return day(value) }
    return Day(of: moment, offset: offset)
  }

  /// Returns the time zone at a moment of a day; `nil` if it is this machine's.
  public func offset(at moment: Date, in day: AppValue) -> Int? {
    guard let offset = offset(of: day), let midnight = day.date else { return nil }
    // The clocks are changed some hours after midnight. The next day tells by how much.
    let next = moments.first { $0 > moment }.flatMap { next -> Int? in
      let isNext = abs(next.timeIntervalSince(midnight) - 86_400) <= 3600
      return isNext ? self.offset(of: .text(JSONFormat.text(next))) : nil
    }
    let late = moment >= midnight.addingTimeInterval(3 * 3600) ? next : nil
    let day = Day(of: midnight, offset: offset)
    return [late, offset, offset - 60].compactMap(\.self)
      .first { Day(of: moment, offset: $0) == day }
  }

  /// Returns the moment of the day in which something happened.
  public func midnight(before moment: Date) -> Date? {
    moments.last { $0 <= moment }.flatMap { moment.timeIntervalSince($0) < 25 * 3600 ? $0 : nil }
  }

  /// Returns the offset at which a moment is midnight; `nil` if it is midnight here, or nowhere.
  private static func offset(ofMidnight moment: Date) -> Int? {
    guard let seconds = Int(exactly: moment.timeIntervalSince1970), seconds.isMultiple(of: 900)
    else { return nil }
    let minutes = seconds % 86_400 / 60
    guard !isMidnightHere(moment) else { return nil }
    // From Hawaii to New Zealand in summer.
    return minutes < 660 ? -minutes : 1440 - minutes
  }

  private static func isMidnightHere(_ moment: Date) -> Bool {
    let local = moment.timeIntervalSince1970 + Double(moment.localOffset * 60)
    return local.remainder(dividingBy: 86_400) == 0
  }
}
