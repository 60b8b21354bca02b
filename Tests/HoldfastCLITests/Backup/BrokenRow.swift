import Testing

/// A recording's row that another program changed, so that it breaks a rule.
struct BrokenRow: Sendable, CustomTestStringConvertible {
  /// The assignment.
  var testDescription: String

  static let all = [
    "playCount = 9223372036854775807", "duration = 9e999", "timestampOffset = 99999",
    "title = substr(hex(zeroblob(60000)), 1, 100000)",
  ].map(BrokenRow.init)

  /// The statement for sqlite3.
  func statement(about id: String) -> String {
    "PRAGMA ignore_check_constraints = ON; UPDATE recording SET \(testDescription) "
      + "WHERE id = '\(id)'"
  }
}
