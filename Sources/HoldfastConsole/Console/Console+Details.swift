import HoldfastModel

extension Console {
  /// Prints the details of an item, one on each line. The colours are by the details' names.
  package func details(_ lines: [(name: String, value: String)], colors: [String: Color] = [:]) {
    for (name, value) in lines {
      let value = value.escapedForDisplay
      result(
        name + String(repeating: " ", count: max(1, 12 - name.count))
          + (colors[name].map { colored(value, $0) } ?? value))
    }
  }
}
