/// What a person searches for in spoken words: text that has all of these phrases.
///
/// Each word of the search text is a phrase: usually of one word, of several for "don't" or 散步.
/// The last word may be the beginning of a word, unless it has only one letter, with which too many
/// words begin. Nothing in the text is syntax.
///
/// Programs that write down what they hear write "lighthouse" and "light house" for the same, so a
/// word is also found as two, and two words that follow each other as one.
package struct SpokenQuery: Hashable, Sendable {
  /// The phrases, each as folded words, without duplicates; none if the text has no letter or
  /// digit.
  package private(set) var phrases: [[String]] = []

  /// The most words that are searched for. The rest of a longer text is not used.
  static let mostWords = 64
  /// The fewest letters of each part of a word that is also found as two.
  private static let leastOfWord = 3
  /// The most letters of such a word. A longer one would make a query that SQLite refuses.
  private static let mostOfWord = 64

  /// Words that stand for a phrase.
  private struct Pattern: Hashable, Sendable {
    var phrase: Int
    var words: [String]
    /// Whether the last word may be the beginning of a word.
    var isPrefix: Bool
  }

  /// In the order of their phrases, each phrase itself first.
  private var patterns: [Pattern] = []

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
    patterns = phrases.indices.flatMap { patterns(of: $0) }
  }

  private func patterns(of number: Int) -> [Pattern] {
    func isPrefix(_ number: Int) -> Bool {
      number == phrases.count - 1 && (phrases[number].last?.unicodeScalars.count ?? 0) > 1
    }
    func word(_ number: Int) -> Substring.UnicodeScalarView? {
      guard phrases.indices.contains(number), phrases[number].count == 1 else { return nil }
      let word = phrases[number][0][...].unicodeScalars
      return (Self.leastOfWord...Self.mostOfWord).contains(word.count) ? word : nil
    }
    var patterns = [
      Pattern(phrase: number, words: phrases[number], isPrefix: isPrefix(number))
    ]
    guard let own = word(number) else { return patterns }
    for count in stride(from: Self.leastOfWord, through: own.count - Self.leastOfWord, by: 1) {
      let parts = [String(own.prefix(count)), String(own.dropFirst(count))]
      patterns.append(Pattern(phrase: number, words: parts, isPrefix: false))
    }
    for first in [number - 1, number] {
      guard let one = word(first), let next = word(first + 1) else { continue }
      let both = String(one) + String(next)
      patterns.append(Pattern(phrase: number, words: [both], isPrefix: isPrefix(first + 1)))
    }
    return patterns
  }

  /// The query as FTS5 reads it, from the narrowest on: with the whole words; with the last one as
  /// a beginning of words; and with everything that stands for the phrases. FTS5 has to read all
  /// occurrences of the words that begin alike, and of both parts of a word.
  package var matchExpressions: [String] {
    var expressions = [
      expression(allowingBeginnings: false) { [$0[0]] }, expression { [$0[0]] },
    ]
    if patterns.count > phrases.count { expressions.append(expression { $0 }) }
    return expressions[0] == expressions[1] ? Array(expressions.dropFirst()) : expressions
  }

  private func expression(
    allowingBeginnings: Bool = true, _ chosen: ([Pattern]) -> [Pattern]
  ) -> String {
    phrases.indices.map { number in
      let strings = chosen(patterns.filter { $0.phrase == number }).map {
        let string = "\"\($0.words.joined(separator: " "))\""
        return allowingBeginnings && $0.isPrefix ? string + " *" : string
      }
      return strings.count == 1 ? strings[0] : "(\(strings.joined(separator: " OR ")))"
    }.joined(separator: " AND ")
  }

  /// Returns where the phrases are in a text: for each place its phrase's number and its words.
  package func places(in text: FoldedWords) -> [(phrase: Int, words: Range<Int>)] {
    var places: [(phrase: Int, words: Range<Int>)] = []
    let words = patterns.map { $0.words.map { Array($0.utf8) } }
    let firsts = words.map { $0.first?.first }
    for start in text.words.indices {
      let first = text.bytes[text.words[start].folded.lowerBound]
      for (pattern, words) in zip(patterns.indices, words)
      where first == firsts[pattern]
        && matches(words, text, at: start, isPrefix: patterns[pattern].isPrefix)
      {
        places.append((patterns[pattern].phrase, start..<start + words.count))
      }
    }
    return places
  }

  private func matches(
    _ pattern: [[UInt8]], _ text: FoldedWords, at start: Int, isPrefix: Bool
  ) -> Bool {
    guard start + pattern.count <= text.words.count else { return false }
    return pattern.indices.allSatisfy { index in
      let word = text.bytes[text.words[start + index].folded]
      return isPrefix && index == pattern.count - 1
        ? word.starts(with: pattern[index]) : word.elementsEqual(pattern[index])
    }
  }

  /// Whether a text has every phrase.
  package func isFound(in text: FoldedWords) -> Bool {
    Set(places(in: text).map(\.phrase)).count == phrases.count
  }
}
