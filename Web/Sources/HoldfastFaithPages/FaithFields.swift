import Foundation
import Holdfast
import HoldfastWeb

/// The fields that entries and prayers share, for a template.
enum FaithFields {
  static let tags = #"""
    <label for="tags">Tags, with commas between them</label>\#
    <input id="tags" name="tags" value="{{tags}}">
    """#

  static let privacy = #"""
    <p><label class="check"><input type="checkbox" name="private"{{#record.isPrivate}} \#
    checked{{/record.isPrivate}}> Private</label>\#
    <span class="hint"> Lists and searches leave it out. It is not encrypted.</span></p>
    """#
}

extension Form {
  /// The tags in a field, separated by commas.
  var tags: [String] {
    (self["tags"] ?? "").split(separator: ",").map(String.init).filter { $0.nonBlank != nil }
  }

  /// The title that was filled in, or the first words of a text; without either, the name for a
  /// recording.
  func title(orWordsOf text: String, spoken: String) -> String {
    self["title"] ?? text.firstWords ?? (recording == nil ? "" : spoken)
  }
}

extension String {
  /// The first words of the first line that has any, as a title; `nil` if there are none.
  var firstWords: String? {
    guard
      let line = split(whereSeparator: \.isNewline).map(String.init).compactMap(\.nonBlank).first
    else { return nil }
    let trimmed = line.trimmingCharacters(in: .whitespaces)
    guard trimmed.count > 60 else { return trimmed }
    let words = trimmed.prefix(60)
    return "\(words[..<(words.lastIndex(of: " ") ?? words.endIndex)])…"
  }
}
