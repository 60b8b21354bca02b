import ArgumentParser
package import Foundation
import HoldfastModel

/// Runs `check`, and turns an error about a broken rule into one about the usage of the command.
package func validating(_ check: () throws -> Void) throws {
  do { try check() } catch let error as RuleError { throw ValidationError(error.description) }
}

package enum DayCount {
  package static func validate(_ days: Int?) throws {
    guard let days, !(1...36_500).contains(days) else { return }
    throw ValidationError("--days \(days): give 1 to 36500 days.")
  }

  /// Returns the moment so many days ago; `nil` for no limit.
  package static func since(_ days: Int?) -> Date? {
    days.map { Date(timeIntervalSinceNow: -86_400 * Double($0)) }
  }
}

/// Refuses an edit that makes no change.
///
/// - Parameters:
///   - changes: The changes that are asked for.
///   - options: The options to choose from: "--title or --notes". An empty text names none.
package func requireChange<Record>(_ changes: [Change<Record>?], _ options: String) throws {
  guard changes.allSatisfy({ $0 == nil }) else { return }
  throw ValidationError("Name what to change\(options.isEmpty ? "" : ": \(options)").")
}
