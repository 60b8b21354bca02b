internal import Foundation
internal import HoldfastModel

extension Console {
  /// Prints the details of an item, one on each line, with the name first.
  func details(_ lines: [(name: String, value: String)]) {
    for (name, value) in lines {
      result(
        name + String(repeating: " ", count: max(1, 12 - name.count)) + value.escapedForDisplay)
    }
  }

  /// Prints a note about an entry that is logged late, with its age.
  func warnIfOld(_ entry: some LoggedEntry, now: Date) {
    if let warning = Entry.warning(timestamp: entry.timestamp, now: now) {
      note("note: \(warning)")
    }
  }
}
