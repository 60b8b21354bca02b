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
    guard abs(change) >= 0.05 else { return "Intensity stays about the same." }
    let points = Int(abs(change).rounded())
    let time = span < 7 ? "over \(span + 1) days" : points == 0 ? "each week" : "a week"
    let much = points == 0 ? "a little" : "by about \(points.counted("point"))"
    guard change < 0 else { return "Intensity went up \(much) \(time)." }
    // After a day that was harder than most, the user would not believe that sentence.
    let isLighter =
      !TimeWithoutUse(self).isFirstDay
      && last.average <= days.reduce(0) { $0 + $1.average } / Double(days.count)
    guard isLighter else { return "Intensity went down \(much) \(time)." }
    return "Cravings are easing\(points == 0 ? " " : ", ")\(much) \(time)."
  }

  private static func days(from first: String, to last: String) -> Int? {
    guard let first = try? Day(first), let last = try? Day(last) else { return nil }
    return last.days(since: first)
  }
}
