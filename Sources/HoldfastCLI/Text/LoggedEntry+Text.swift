internal import HoldfastModel

extension LoggedEntry {
  /// Triggers and location, as far as there are any.
  var context: String {
    (triggers.list.map(\.rawValue) + [location?.text].compactMap { $0 }).joined(separator: ", ")
  }

  /// Triggers, location and notes, a line each, as far as there are any.
  var contextDetails: [(name: String, value: String)] {
    var lines: [(name: String, value: String)] = []
    if !triggers.list.isEmpty {
      lines.append(("triggers", triggers.list.map(\.rawValue).joined(separator: ", ")))
    }
    if let location { lines.append(("location", location.text)) }
    if let notes { lines.append(("notes", notes)) }
    return lines
  }
}
