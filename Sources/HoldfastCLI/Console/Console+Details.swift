internal import Foundation
internal import HoldfastModel

extension Console {
  /// Prints what is known of one thing: a line for each, its name first.
  func details(_ lines: [(name: String, value: String)]) {
    for (name, value) in lines {
      result(
        name + String(repeating: " ", count: max(1, 12 - name.count)) + value.escapedForDisplay)
    }
  }

  /// Says how far back an entry is that was logged late.
  func warnIfOld(_ entry: some LoggedEntry, now: Date) {
    if let warning = Entry.warning(timestamp: entry.timestamp, now: now) {
      note("note: \(warning)")
    }
  }
}
