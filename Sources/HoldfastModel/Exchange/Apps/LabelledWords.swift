import Foundation

/// The labels with which an app's import adds values without a column to a text of the record, such
/// as `Trigger: a quarrel` in the notes.
public struct LabelledWords<Value: DeclaredRecord>: Sendable {
  /// A label, without its colon.
  public struct Label: ExpressibleByStringLiteral, Sendable {
    let name: String
    /// Whether the record has the value in a column, which replaces the labelled words.
    let hasColumn: @Sendable (Value) -> Bool

    /// A label whose value has a column if the column can hold it.
    public init(_ name: String, unless hasColumn: @escaping @Sendable (Value) -> Bool) {
      self.name = name
      self.hasColumn = hasColumn
    }

    /// A label whose value never has a column.
    public init(stringLiteral name: String) { self.init(name) { _ in false } }
  }

  private let labels: [Label]
  private let separator: String
  private let limit: Int
  private let text: @Sendable (Value) -> String
  private let setText: @Sendable (inout Value, String) -> Void

  /// Labels in a text that every record has.
  public init(
    in path: any WritableKeyPath<Value, String> & Sendable, _ labels: [Label],
    separator: String = "\n", limit: Int
  ) {
    self.labels = labels
    self.separator = separator
    self.limit = limit
    text = { $0[keyPath: path] }
    setText = { $0[keyPath: path] = $1 }
  }

  /// Labels in a text that a record may lack.
  public init(
    in path: any WritableKeyPath<Value, String?> & Sendable, _ labels: [Label],
    separator: String = "\n", limit: Int
  ) {
    self.labels = labels
    self.separator = separator
    self.limit = limit
    text = { $0[keyPath: path] ?? "" }
    setText = { $0[keyPath: path] = $1 }
  }

  /// Returns a later version of a record with the labelled words that only an earlier one has. They
  /// are cut if the text would become too long, and left out if not even a part of them fits.
  ///
  /// - Parameter said: The labels whose words the later version has removed if it lacks them; `nil`
  ///   if none, and if the person's own words may be missing too.
  func keeping(
    _ earlier: Value, in later: Value, except said: Set<String>? = nil
  ) -> (value: Value, isCut: Bool) {
    let own = text(later)
    let whole = merged(text(earlier), into: own, keepingOwn: said == nil) {
      said?.contains($0.name) == true || $0.hasColumn(later) && !$0.hasColumn(earlier)
    }
    guard whole != own else { return (later, false) }
    for text in [whole, whole.cut(to: limit - 1)] where own.isEmpty || text.contains(own) {
      var value = later
      setText(&value, text)
      if (try? value.validate()) != nil { return (value, text != whole) }
    }
    return (later, true)
  }

  /// Returns a remark if the labelled words of an earlier version do not fit; `nil` if they do.
  package func remark(onKeeping earlier: Value, in later: Value) -> String? {
    keeping(earlier, in: later).isCut
      ? "words that the app no longer has were cut, because only \(limit) characters fit" : nil
  }

  /// Returns the labels of the words that a record has.
  package func labels(of value: Value) -> Set<String> {
    Set(parts(of: text(value)).compactMap(\.label))
  }

  /// Returns a later text followed by the labelled words whose label only an earlier text has. If
  /// the later one has only labelled words, the person's own words are those of the earlier text.
  ///
  /// - Parameters:
  ///   - keepsOwn: Whether the person's own words are kept so.
  ///   - isReplaced: Whether a column has the value of a label now, or it was removed.
  func merged(
    _ earlier: String, into later: String, keepingOwn keepsOwn: Bool = true,
    unless isReplaced: (Label) -> Bool
  ) -> String {
    let (before, after) = (parts(of: earlier), parts(of: later))
    let known = Set(after.map(\.label))
    let dropped = Set(labels.filter(isReplaced).map(\.name))
    let missing = before.filter { part in
      !known.contains(part.label) && !dropped.contains(part.label ?? "")
    }
    let own = keepsOwn ? missing.filter { $0.label == nil } : []
    let labelled = missing.filter { $0.label != nil }
    return (own + after + labelled).map(\.text).joined(separator: separator)
  }

  /// Returns a person's own words, whose label is `nil`, and the labelled words after them. Words
  /// of several lines end at the next label.
  private func parts(of text: String) -> [(label: String?, text: String)] {
    guard !text.isEmpty else { return [] }
    var parts: [(label: String?, text: String)] = []
    for line in text.components(separatedBy: separator) {
      let label = labels.first { line.hasPrefix($0.name + ": ") }?.name
      if label != nil || parts.isEmpty {
        parts.append((label, line))
      } else {
        parts[parts.count - 1].text += separator + line
      }
    }
    return parts
  }
}
