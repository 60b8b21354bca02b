package import ArgumentParser
package import Foundation
package import HoldfastModel

package struct TimeOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      When: 15:42, "2025-10-25 15:42" or 2025-10-25T15:42+02:00, in this machine's time zone \
      unless you give another as an offset or by its name, such as Europe/Berlin.
      """, valueName: "time"),
    transform: { try GivenTime($0) })
  package var at: GivenTime?

  package init() {}

  /// The current time when ``at`` was read, so that a time that was valid then does not change its
  /// day.
  package var now: Date { at?.now ?? Date() }
}

package struct GivenTime {
  package var moment: Date
  /// The offset of its time zone, in minutes east of Greenwich.
  package var offset: Int
  /// The current time when it was read.
  package var now: Date

  /// Reads a time from an argument. It must not be in the future.
  package init(_ text: String) throws(RuleError) {
    now = Date()
    (moment, offset) = try Entry.moment(text, now: now)
    try Entry.validate(timestamp: moment, now: now)
  }
}
