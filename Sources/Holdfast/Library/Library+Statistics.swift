public import Foundation
internal import HoldfastCatalog
public import HoldfastModel

extension Library {
  /// What the library has to say of a period.
  ///
  /// - Parameters:
  ///   - period: How far back to look.
  ///   - now: The period's last moment.
  public func statistics(of period: StatisticsPeriod, now: Date = Date()) throws -> Statistics {
    try LibraryError.translating { try catalog.statistics(of: period, now: now) }
  }
}
