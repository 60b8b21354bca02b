package import Foundation
import Holdfast

extension Date {
  /// The moment as a browser's date and time field has it, such as `2025-10-25T15:42`.
  ///
  /// - Parameter offset: How many minutes the clock is ahead of UTC.
  package func fieldText(offset: Int) -> String {
    let text = addingTimeInterval(Double(offset) * 60).ISO8601Format(
      .init(dateSeparator: .dash, timeZone: .gmt))
    return String(text.prefix(16))
  }
}

/// The field for the moment of an entry of a journal. Its form names the moment `when`.
package enum MomentField {
  package static let html = #"""
    <label for="when">When</label>
    <input type="hidden" name="opened" value="{{when}}">
    <input type="datetime-local" id="when" name="when" value="{{when}}" data-week>
    <p class="hint" data-week-hint hidden>That is more than a week ago: memory may be less \#
    reliable.</p>
    """#
}

extension Form {
  /// The moment that was chosen; `nil` if the field was not changed. A text that is not a time
  /// throws `RuleError`.
  ///
  /// - Parameter offset: How many minutes the clock of the entry's zone is ahead of UTC; `nil` for
  ///   this machine's.
  package func moment(now: Date, offset: Int? = nil) throws -> (date: Date, offset: Int)? {
    guard let when = self["when"], when != self["opened"] else { return nil }
    let zone = offset.flatMap { TimeZone(secondsFromGMT: $0 * 60) }
    return try Entry.moment(when, now: now, zone: zone ?? .current)
  }
}
