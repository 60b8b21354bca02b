import Foundation
import Holdfast

/// How the amounts of a period compare with those of the first period, in sentences for a person
/// who may be having a hard time.
///
/// An amount that fell is credited to the person. An amount that rose is only a number.
public struct AmountChange: Hashable, Sendable {
  private let statistics: Statistics
  private let days: Int

  /// Uses the figures; `nil` for everything, which has no first period.
  public init?(_ statistics: Statistics) {
    guard let days = statistics.days else { return nil }
    self.statistics = statistics
    self.days = days
  }

  /// The methods that were used in either period; `nil` while they cannot be compared.
  public var methods: [MethodComparison]? { statistics.usage.comparison?.methods }

  /// The heading, with the day on which the first period began if there is something to compare.
  public var heading: String {
    let heading = "Amounts, now and in your first \(days) days"
    guard methods != nil, let first = statistics.usage.comparison?.firstSince else {
      return heading
    }
    return "\(heading), from \(statistics.day(first))"
  }

  /// When the figures can be compared, in one sentence; `nil` if they can be now, and on the day of
  /// a use, to avoid asking the person to come back after another use.
  public var hint: String? {
    guard let comparison = statistics.usage.comparison else {
      return "They appear here \(2 * days) days after the first logged use."
    }
    guard methods == nil, !TimeWithoutUse(statistics).isFirstDay else { return nil }
    let available = statistics.day(comparison.availableFrom)
    return "You can compare with your first \(days) days from \(available)."
  }

  /// One sentence about the methods whose amounts became smaller; `nil` without such methods.
  public var praise: String? {
    let less = (methods ?? []).filter { $0.amount < $0.firstAmount }
      .map { $0.method.text($0.firstAmount - $0.amount) }
    guard !less.isEmpty else { return nil }
    let list = less.formatted(.list(type: .and).locale(Locale(identifier: "en_US_POSIX")))
    return "\(list) less than in your first \(days) days. You made that happen."
  }
}
