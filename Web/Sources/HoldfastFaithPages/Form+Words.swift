internal import Foundation
internal import Holdfast
internal import HoldfastWeb

extension Form {
  /// The tags in a field, which stand between commas.
  var tags: [String] {
    (self["tags"] ?? "").split(separator: ",").map(String.init).filter { $0.nonBlank != nil }
  }

  /// The page of a list, from 1.
  var page: Int { min(max(self["page"].flatMap { Int($0) } ?? 1, 1), 1_000_000) }
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
