public import Foundation
internal import HoldfastCatalog
public import HoldfastModel

extension Library {
  /// Returns the statistics of a period.
  ///
  /// - Parameters:
  ///   - period: How far to look back.
  ///   - now: The end of the period.
  public func statistics(of period: StatisticsPeriod, now: Date = Date()) throws -> Statistics {
    try LibraryError.translating { try catalog.statistics(of: period, now: now) }
  }

  /// Returns how much was used on each day of a period.
  ///
  /// - Parameters:
  ///   - period: How far to look back.
  ///   - now: The end of the period.
  public func amounts(of period: StatisticsPeriod, now: Date = Date()) throws -> AmountHistory {
    try LibraryError.translating { try catalog.amounts(of: period, now: now) }
  }
}
