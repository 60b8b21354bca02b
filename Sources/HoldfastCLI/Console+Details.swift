internal import HoldfastModel

extension Console {
  /// Prints what is known of one thing: a line for each, its name first.
  func details(_ lines: [(name: String, value: String)]) {
    for (name, value) in lines {
      result(
        name + String(repeating: " ", count: max(1, 12 - name.count)) + value.escapedForDisplay)
    }
  }

  /// Prints a warning beside a result.
  func warning(_ text: String) { note("note: \(text)") }
}
