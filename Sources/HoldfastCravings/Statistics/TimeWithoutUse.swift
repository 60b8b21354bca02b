public import Foundation
import Holdfast

/// The time without a use in a period, in sentences for a person who may be having a hard time.
///
/// Praise that the person could not believe is left out: on the day of a use, no stretch is praised
/// for its length.
public struct TimeWithoutUse: Hashable, Sendable {
  private let statistics: Statistics
  /// A day in seconds.
  private static let day: TimeInterval = 86_400

  /// Uses the figures.
  public init(_ statistics: Statistics) { self.statistics = statistics }

  /// Whether the last use was less than a day ago. The person may just have slipped.
  public var isFirstDay: Bool { sinceLastUse.map { $0 < Self.day } ?? false }

  /// The time since the last use, in seconds; `nil` if nothing was ever used.
  public var sinceLastUse: TimeInterval? {
    statistics.usage.lastUse.map { statistics.until.timeIntervalSince($0) }
  }

  /// Returns the sentences.
  ///
  /// - Parameter hint: A sentence for the day of a use, which says where to find a kind word.
  public func sentences(hint: String) -> [String] {
    guard let time = sinceLastUse else {
      return ["No use is logged. If you log one, the time since then appears here."]
    }
    return isFirstDay
      ? firstDay(time, hint)
      : [
        statistics.usage.daysSinceLastUse.map { "\(Self.days($0)) since your last use." }, longest,
      ]
      .compactMap(\.self)
  }

  /// The sentences on the day of a use: no figure with a zero, no praise for hours, and no date on
  /// which a stretch ended. The person's earlier days still count.
  private func firstDay(_ time: TimeInterval, _ hint: String) -> [String] {
    let hours = Int(time / 3600)
    return [
      "\(hours < 1 ? "Less than an hour" : hours.counted("hour")) since your last use.", hint,
    ] + daysThatCount
  }

  /// A sentence on the longest stretch, if it lasted a day or more.
  private var daysThatCount: [String] {
    guard let stretch = statistics.usage.longestStretch,
      stretch.until.timeIntervalSince(stretch.since) >= Self.day
    else { return [] }
    let start =
      switch statistics.days {
      case nil: "You once went"
      // The stretch may have begun before the period.
      case .some where stretch.since == statistics.since: "You went at least"
      case .some: "In this period you went"
      }
    return ["\(start) \(Self.days(stretch.days)) without using. Those days still count."]
  }

  private var longest: String? {
    statistics.usage.longestStretch.map { stretch in
      if stretch.until != statistics.until {
        return "Longest stretch\(inThePeriod): \(Self.days(stretch.days)), "
          + "from \(statistics.day(stretch.since)) to \(statistics.day(stretch.until))."
      }
      if let days = statistics.days, stretch.since == statistics.since {
        return "You have used nothing in these \(days) days, and it goes on. Well done."
      }
      return "That is your longest stretch\(inThePeriod), and it goes on. Well done."
    }
  }

  private var inThePeriod: String { statistics.days == nil ? "" : " in this period" }

  private static func days(_ count: Double) -> String {
    Int(count).counted("day")
  }
}

extension Statistics {
  /// Returns the day of a moment where the last use was logged, as people say it: `25 October`, and
  /// with the year if it is not the present one.
  public func day(_ moment: Date) -> String {
    let offset = usage.lastUseOffset ?? 0
    let fields = moment.displayText(offset: offset).prefix(10).split(separator: "-")
    guard fields.count == 3, let month = Int(fields[1]), let day = Int(fields[2]) else { return "" }
    let isThisYear = until.displayText(offset: offset).hasPrefix(fields[0])
    return "\(day) \(Self.months[month - 1])\(isThisYear ? "" : " \(fields[0])")"
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
