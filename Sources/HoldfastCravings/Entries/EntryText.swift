import Holdfast

extension LoggedEntry {
  /// The triggers and the location, without coordinates, as one text for a line of its own; empty
  /// if there are none.
  package var context: String {
    (triggers.list.map(\.rawValue) + [location?.label].compactMap { $0 }).joined(separator: ", ")
  }

  /// The triggers, the location with its figures, and the notes, one line each, without empty ones.
  package var contextDetails: [(name: String, value: String)] {
    var lines: [(name: String, value: String)] = []
    if !triggers.list.isEmpty {
      lines.append(("triggers", triggers.list.map(\.rawValue).joined(separator: ", ")))
    }
    if let location { lines.append(("location", location.text)) }
    if let notes { lines.append(("notes", notes)) }
    return lines
  }
}

extension Intensity {
  /// The number with the category in words, which have the same meaning as the colour.
  package var words: String { "\(value), \(category.label)" }
}

extension Craving {
  package var line: String { line(intensity: intensity.words) }

  /// Returns the craving as one line of text, with its intensity as given.
  package func line(intensity words: String) -> String {
    ["intensity \(words)", context.nonBlank].compactMap { $0 }.joined(separator: "; ")
  }
}
