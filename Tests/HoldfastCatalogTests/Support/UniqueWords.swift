import Foundation
import HoldfastTestSupport

/// Words of twelve small letters, each in one text only, so that a word found in a file identifies
/// its text.
struct UniqueWords {
  private static let length = 12
  private var numbers = SeededNumbers(seed: 3)

  /// A text of `count` words that no other text has.
  mutating func text(_ count: Int) -> String {
    (0..<count).map { _ in
      String(
        (0..<Self.length).map { _ in
          Character(Unicode.Scalar(UInt8.random(in: 97...122, using: &numbers)))
        })
    }.joined(separator: " ")
  }

  /// Every word in `texts`.
  static func all(in texts: some Sequence<String>) -> Set<String> {
    Set(texts.flatMap { $0.split(separator: " ").map(String.init) })
  }

  /// The words in `texts` that are anywhere in the file at `path`, also inside other words.
  static func found(_ texts: some Sequence<String>, in path: String) throws -> Set<String> {
    var words: [UInt64: String] = [:]
    for word in all(in: texts) {
      words[word.utf8.reduce(0) { $0 << 5 | UInt64($1 - 96) }] = word
    }
    var found: Set<String> = []
    var (window, run): (UInt64, Int) = (0, 0)
    for byte in try Data(contentsOf: URL(fileURLWithPath: path)) {
      guard (97...122).contains(byte) else {
        run = 0
        continue
      }
      window = (window << 5 | UInt64(byte - 96)) & (1 << 60 - 1)
      run += 1
      if run >= length, let word = words[window] { found.insert(word) }
    }
    return found
  }
}
