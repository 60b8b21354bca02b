internal import HoldfastModel

extension Console {
  /// Prints the details of an item, one on each line, with the name first.
  ///
  /// - Parameters:
  ///   - lines: The details.
  ///   - colors: The colours of values, by their names.
  package func details(_ lines: [(name: String, value: String)], colors: [String: Color] = [:]) {
    for (name, value) in lines {
      let value = value.escapedForDisplay
      result(
        name + String(repeating: " ", count: max(1, 12 - name.count))
          + (colors[name].map { colored(value, $0) } ?? value))
    }
  }
}
