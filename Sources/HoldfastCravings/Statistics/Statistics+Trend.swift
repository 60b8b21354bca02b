import Foundation
import Holdfast

extension Statistics {
  /// How the intensity of cravings changed, in one sentence: per week, or over all days if they
  /// span less than a week.
  public var intensityTrend: String {
    let days = cravings.intensity.byDay
    guard let perWeek = cravings.intensity.trendPerWeek, let first = days.first,
      let last = days.last, let span = Self.days(from: first.day, to: last.day)
    else { return "A trend needs cravings on more than one day." }
    let change = perWeek / 7 * Double(min(span, 7))
    let time = span < 7 ? "over \(span + 1) days" : "a week"
    guard abs(change) >= 0.05 else { return "Trend: even." }
    guard change < 0 else { return "Trend: \(change.oneDecimal) higher \(time)." }
    // After a day that was harder than most, the user would not believe that sentence.
    let isLighter =
      !TimeWithoutUse(self).isFirstDay
      && last.average <= days.reduce(0) { $0 + $1.average } / Double(days.count)
    return "Trend: \((-change).oneDecimal) lower \(time)."
      + (isLighter ? " It is getting lighter." : "")
  }

  private static func days(from first: String, to last: String) -> Int? {
    guard let first = try? Day(first), let last = try? Day(last) else { return nil }
    return last.days(since: first)
  }
}
