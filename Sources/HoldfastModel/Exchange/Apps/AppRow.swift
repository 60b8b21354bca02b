import Foundation

/// One row of an app that becomes a record.
///
/// Each call reads values by their names in the app and sets one of the record. The values that no
/// call asked for are reported.
public struct AppRow {
  let fields: AppRows.Fields
  /// The record so far, by the names of its JSON.
  public var record: [String: AppValue] = [:]
  /// The names that were read, in small letters.
  private(set) var read: Set<String> = []
  /// What was left out or changed: a value's name, and what happened to it.
  private(set) var remarks: [(name: String, what: String)] = []
  private var words: [String] = []
  /// The names of the record's values that the app does not have.
  package private(set) var assumed: Set<String> = []

  init(_ fields: AppRows.Fields) { self.fields = fields }

  /// Reads the first of these values that the row has.
  public mutating func value(_ names: String...) -> AppValue { value(of: names) }

  private mutating func value(of names: [String]) -> AppValue {
    var found = AppValue.null
    for name in names {
      let name = name.lowercased()
      read.insert(name)
      if fields.missing.contains(name) {
        assumed.insert(names[0])
        remark(names[0], "in a file that is not beside the store, not kept")
      }
      guard found.isNull else { continue }
      if let value = fields.values[name]?.value {
        found = value
      } else if let other = fields.endings[name], let value = fields.values[other]?.value {
        read.insert(other)
        found = value
      }
    }
    return found
  }

  /// Reads a person's words. A list of texts is joined; any other value is reported.
  public mutating func words(of names: String...) -> String? {
    let value = value(of: names)
    if value.isNull { return nil }
    if let text = value.text ?? value.utf8Text { return text }
    if case .list(let list) = value, !list.isEmpty, list.allSatisfy({ $0.text != nil }) {
      return list.compactMap(\.text).joined(separator: ", ")
    }
    leaveOut(names[0], value)
    return nil
  }

  /// Reads a person's words in data. A value without words is reported.
  public mutating func plainWords(of name: String) -> String? {
    let value = value(name)
    let words = value.plainWords
    if words == nil { leaveOut(name, value) }
    return words
  }

  /// Sets a value of the record, unless it is null.
  public mutating func set(_ name: String, _ value: AppValue) {
    if !value.isNull { record[name] = value }
  }

  /// Sets a value of the record to a text, a number or a truth value as it is.
  public mutating func copy(_ name: String, from names: String...) {
    set(name, value(of: names.isEmpty ? [name] : names))
  }

  /// Sets a person's word without white space around it. It may be empty.
  public mutating func trimmed(_ name: String, from names: String...) {
    let value = value(of: names.isEmpty ? [name] : names)
    guard let text = value.text else { return set(name, value) }
    set(name, .text(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// Sets a list of a person's words without white space around them, each once in any case.
  public mutating func tags(_ name: String) {
    var known: Set<String> = []
    let words = texts(of: [name]).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty && known.insert($0.foldedCase).inserted }
    record[name] = .list(words.map { .text($0) })
  }

  /// Sets a truth value, which a store has as a number.
  public mutating func flag(_ name: String, from names: String..., else other: Bool? = nil) {
    let value = value(of: names.isEmpty ? [name] : names)
    if value.isNull, let other { return assume(name, .flag(other)) }
    set(name, value.flag.map { .flag($0) } ?? value)
  }

  /// Sets a number, which may be written as text.
  public mutating func number(_ name: String, from names: String..., else other: Double? = nil) {
    let value = value(of: names.isEmpty ? [name] : names)
    if value.isNull, let other { return assume(name, .number(other)) }
    set(name, value.number.map { .number($0) } ?? value)
  }

  /// Sets a value that the app does not have.
  private mutating func assume(_ name: String, _ value: AppValue) {
    record[name] = value
    assumed.insert(name)
  }

  /// Tells that the app does not have these values of the record.
  public mutating func assume(_ names: String...) { assumed.formUnion(names) }

  /// Sets a UUID.
  public mutating func uuid(_ name: String, from names: String...) {
    let value = value(of: names.isEmpty ? [name] : names)
    set(name, value.uuid.map { .text($0.uuidString) } ?? value)
  }

  /// Sets a moment.
  public mutating func date(_ name: String, from names: String...) {
    let value = value(of: names.isEmpty ? [name] : names)
    set(name, value.moment.map { .text(JSONFormat.text($0.date)) } ?? value)
  }

  /// Sets the moment of an entry, and its time zone: that of the text, or this machine's.
  ///
  /// - Returns: Whether the row names the time zone.
  @discardableResult
  public mutating func moment(_ name: String, offset: String, from names: String...) -> Bool {
    let value = value(of: names.isEmpty ? [name] : names)
    guard let (date, zone) = value.moment else {
      set(name, value)
      return false
    }
    record[name] = .text(JSONFormat.text(date))
    // When a record was made need not be when it happened.
    if names.count > 1, names.last == "createdAt", self.value(of: Array(names.dropLast())).isNull {
      assume(name, offset, "day")
    }
    let own = self.value(offset).integer ?? zone
    record[offset] = .number(Double(own ?? date.localOffset))
    return own != nil
  }

  /// Sets when the record was made, or else when it happened, and when it was last changed.
  public mutating func madeAndChanged(orElse moment: String) {
    date("createdAt")
    if record["createdAt"] == nil { set("createdAt", (record[moment] ?? .null).beginning) }
    changed()
  }

  /// Sets when the record was last changed. An app that always has such a time sets it when it
  /// makes the record.
  public mutating func changed() {
    date("modifiedAt")
    let updated = value("updatedAt")
    guard record["modifiedAt"] == nil, let date = updated.date else { return }
    let text = AppValue.text(JSONFormat.text(date))
    if text != record["createdAt"] { record["modifiedAt"] = text }
  }

  /// Whether the row is one of a store, and not of a document.
  public var isInStore: Bool { fields.number != nil }

  /// Reads the texts of lists, which an app may keep as JSON under a name of its own. Any other
  /// value is reported.
  ///
  /// - Parameter keepsText: Whether a text in place of a list counts as one of its texts.
  private mutating func texts(of names: [String], keepsText: Bool = false) -> [String] {
    var texts: [String] = []
    for name in names.flatMap({ [$0, $0 + "JSON"] }) {
      let value = value(name)
      let list = (value.unpackedData ?? value).list
      for item in list ?? [] {
        if let text = item.text { texts.append(text) } else { leaveOut(name, item) }
      }
      guard list == nil else { continue }
      if keepsText { texts += [words(of: name)].compactMap(\.self) } else { leaveOut(name, value) }
    }
    return texts
  }

  /// Sets a list of texts.
  public mutating func texts(_ name: String, from names: String...) {
    record[name] = .list(texts(of: names.isEmpty ? [name] : names).map { .text($0) })
  }

  /// Reads a list of texts, or a text in its place, as words in a row.
  public mutating func listedWords(of name: String) -> String? {
    texts(of: [name], keepsText: true).joined(separator: ", ").nonBlank
  }

  /// Sets a day, which the app may have as a moment.
  public mutating func day(_ name: String, in midnights: AppMidnights) {
    let value = value(of: [name])
    set(name, midnights.day(value).map { .text($0.description) } ?? value)
  }

  /// Sets a word of a vocabulary, which the app may write as a label: `Craving Moment`.
  public mutating func word<Word: Vocabulary>(
    _ name: String, _ type: Word.Type, from names: String..., else other: Word? = nil
  ) {
    let value = value(of: names.isEmpty ? [name] : names)
    if let word = Self.word(value, type) {
      record[name] = .text(word.rawValue)
    } else if let other {
      if value.isNull { return assume(name, .text(other.rawValue)) }
      record[name] = .text(other.rawValue)
      remark(name, "\(value.shown) is not known, read as \(other.rawValue)")
    } else {
      set(name, value)
    }
  }

  /// Sets the words of a list, or of a single value. The others go into the notes.
  public mutating func list<Word: Vocabulary>(
    _ name: String, _ type: Word.Type, labelled label: String, from names: String...
  ) {
    var words: [AppValue] = []
    for name in (names.isEmpty ? [name] : names).flatMap({ [$0, $0 + "JSON"] }) {
      let value = value(name)
      for item in value.list ?? Self.items(of: value) {
        if let word = Self.word(item, type) {
          words.append(.text(word.rawValue))
          // What follows the first word would be lost.
          if let text = item.text, text.contains(" "),
            Self.letters(text) != Self.letters(word.rawValue)
          {
            note(label, text)
          }
        } else if let text = item.text?.nonBlank {
          note(label, text)
        } else {
          leaveOut(name, item)
        }
      }
    }
    record[name] = .list(words)
  }

  /// Returns the parts of a single value: `Anxious, lonely` has two.
  private static func items(of value: AppValue) -> [AppValue] {
    guard let text = value.text else { return value.isNull ? [] : [value] }
    return text.split(whereSeparator: { ",;\n".contains($0) })
      .compactMap { String($0).trimmingCharacters(in: .whitespaces).nonBlank.map { .text($0) } }
  }

  /// Returns the word of a vocabulary that a label names.
  public static func word<Word: Vocabulary>(_ value: AppValue, _ type: Word.Type) -> Word? {
    guard let text = value.text, text.utf8.count <= 200 else { return nil }
    if let word = Word(rawValue: text) { return word }
    let label = letters(text)
    return Word.allCases.first { letters($0.rawValue) == label }
      ?? Word.allCases.first { word in
        let name = letters(word.rawValue)
        return name == label + "s" || name + "s" == label
          || text.lowercased().split(whereSeparator: { !$0.isLetter }).first.map {
            String($0) == word.rawValue.lowercased()
          } == true
      }
  }

  private static func letters(_ text: String) -> String { text.lowercased().filter(\.isLetter) }

  /// Keeps words that have no column for the notes, with a label.
  public mutating func note(_ label: String, _ text: String?) {
    if let text = text?.nonBlank { words.append("\(label): \(text)") }
  }

  /// Sets the notes, with the labelled words after them, and cuts them to a limit.
  public mutating func notes(_ name: String = "notes", limit: Int = Entry.longestNotes) {
    let own = words(of: name)?.nonBlank
    let notes = ([own].compactMap(\.self) + words).joined(separator: "\n")
    guard !notes.isEmpty else { return set(name, .null) }
    if notes.count > limit {
      remark(name, "cut to \(limit) characters")
      record[name] = .text(notes.prefix(limit - 1) + "…")
    } else {
      record[name] = .text(notes)
    }
  }

  /// Reads values that are left out on purpose.
  public mutating func skip(_ names: String...) { _ = value(of: names) }

  /// Reports what happened to a value, once for a row. Equal remarks about one kind are counted.
  public mutating func remark(_ name: String, _ what: String) {
    if !remarks.contains(where: { $0 == (name, what) }) { remarks.append((name, what)) }
  }

  /// Reports a value that is not understood, unless it says nothing.
  public mutating func leaveOut(_ name: String, _ value: AppValue) {
    if !value.isEmpty { remark(name, "\(value.shown), not kept") }
  }

  /// Reports the values that the app's developer spells so and that are not kept.
  ///
  /// A store has its names in capital letters only.
  public mutating func unkept(_ names: String...) {
    for name in names where !value(name).isNull { remark(name, "not kept") }
  }

  /// The names of the values that no call asked for and that say something, as the app spells them.
  var unread: [String] {
    fields.values.filter { !read.contains($0.key) && !$0.value.value.isEmpty }
      .map(\.value.name).sorted()
  }
}
