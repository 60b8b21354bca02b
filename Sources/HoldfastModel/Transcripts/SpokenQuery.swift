/// What a person searches for in spoken words: text that has all of these phrases.
///
/// Each word of the search text is a phrase: usually of one word, of several for "don't" or 散步.
/// The last word may be the beginning of a word, unless it has only one letter, with which too many
/// words begin. Nothing in the text is syntax.
package struct SpokenQuery: Hashable, Sendable {
  /// The phrases, each as folded words, without duplicates; none if the text has no letter or
  /// digit.
  package private(set) var phrases: [[String]] = []

  /// The most words that are searched for. The rest of a longer text is not used.
  static let mostWords = 64

  package init(_ text: String) {
    var folding = ScalarFolding()
    var left = Self.mostWords
    // Scalars, not characters: a vowel sign after a space would hide the space.
    for part in text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace) {
      let folded = FoldedWords(String(part), &folding)
      let phrase = folded.words.prefix(left).map {
        String(decoding: folded.bytes[$0.folded], as: UTF8.self)
      }
      left -= phrase.count
      guard !phrase.isEmpty else { continue }
      // Only the last phrase is a beginning, so it is the earlier one that is left out.
      phrases.removeAll { $0 == phrase }
      phrases.append(phrase)
    }
  }

  /// The query as FTS5 reads it: every phrase is a string, and the last one a prefix.
  package var matchExpression: String {
    phrases.map { "\"\($0.joined(separator: " "))\"" }.joined(separator: " ")
      + (isPrefix ? " *" : "")
  }

  private var isPrefix: Bool { (phrases.last?.last?.unicodeScalars.count ?? 0) > 1 }

  /// Returns where the phrases are in a text: for each place its phrase's number and its words.
  package func places(in text: FoldedWords) -> [(phrase: Int, words: Range<Int>)] {
    var places: [(phrase: Int, words: Range<Int>)] = []
    let patterns = phrases.map { $0.map { Array($0.utf8) } }
    let firsts = patterns.map { $0.first?.first }
    for start in text.words.indices {
      let first = text.bytes[text.words[start].folded.lowerBound]
      for number in patterns.indices
      where first == firsts[number]
        && matches(
          patterns[number], text, at: start, isLast: isPrefix && number == patterns.count - 1)
      {
        places.append((number, start..<start + patterns[number].count))
      }
    }
    return places
  }

  private func matches(
    _ pattern: [[UInt8]], _ text: FoldedWords, at start: Int, isLast: Bool
  ) -> Bool {
    guard start + pattern.count <= text.words.count else { return false }
    return pattern.indices.allSatisfy { index in
      let word = text.bytes[text.words[start + index].folded]
      return isLast && index == pattern.count - 1
        ? word.starts(with: pattern[index]) : word.elementsEqual(pattern[index])
    }
  }

  /// Whether a text has every phrase.
  package func isFound(in text: FoldedWords) -> Bool {
    Set(places(in: text).map(\.phrase)).count == phrases.count
  }
}
