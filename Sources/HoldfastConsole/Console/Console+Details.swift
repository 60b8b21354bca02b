import HoldfastModel

extension Console {
  /// Prints the details of an item, one on each line. The colours are by the details' names.
  ///
  /// A value's own lines are indented below its first one, so that none can pass for a detail.
  package func details(_ lines: [(name: String, value: String)], colors: [String: Color] = [:]) {
    for (name, value) in lines {
      var lead = name + String(repeating: " ", count: max(1, 12 - name.count))
      for line in value.replacing("\r\n", with: "\n").split(
        separator: "\n", omittingEmptySubsequences: false)
      {
        let line = String(line).escapedForDisplay
        result(
          line.isEmpty && lead.first == " "
            ? "" : lead + (colors[name].map { colored(line, $0) } ?? line))
        lead = String(repeating: " ", count: 12)
      }
    }
  }
}
