import Foundation

/// The words of a text, folded so that words that people take for the same are equal.
///
/// Text that is indexed, text that is shown and text that is searched for are folded here and
/// nowhere else, scalar by scalar, by Unicode's tables: without compatibility forms ("ﬁ" is "fi"),
/// without case ("ß" is "ss") and without accents. In scripts without spaces each character is a
/// word of its own, so that a sequence of them is found inside a sentence.
package struct FoldedWords: Sendable {
  /// A word: where it is in ``bytes``, and where its letters are in the text, in bytes of UTF-8.
  package struct Word: Sendable {
    package var folded: Range<Int>
    package var source: Range<Int>
  }

  /// The folded words with a space between them, in UTF-8.
  package private(set) var bytes: [UInt8] = []
  package private(set) var words: [Word] = []

  package init(_ text: String, _ folding: inout ScalarFolding) {
    bytes.reserveCapacity(text.utf8.count)
    var place = 0
    var isInWord = false
    for scalar in text.unicodeScalars {
      let start = place
      place += UTF8.width(scalar)
      for folded in folding.folded(scalar) {
        switch folded {
        case .mark:
          if isInWord {
            words[words.count - 1].source = words[words.count - 1].source.lowerBound..<place
          }
        case .separator: isInWord = false
        case .letter(let letter):
          if !isInWord { begin(at: start) }
          append(letter, through: place)
          isInWord = true
        case .word(let letter):
          begin(at: start)
          append(letter, through: place)
          isInWord = false
        }
      }
    }
  }

  package init(_ text: String) {
    var folding = ScalarFolding()
    self.init(text, &folding)
  }

  /// The folded words, with a space between them.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  private mutating func begin(at start: Int) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
    words.append(Word(folded: bytes.count..<bytes.count, source: start..<start))
  }

  private mutating func append(_ letter: Unicode.Scalar, through end: Int) {
    if letter.isASCII {
      bytes.append(UInt8(letter.value))
    } else {
      bytes.append(contentsOf: String(letter).utf8)
    }
    let last = words.count - 1
    words[last].folded = words[last].folded.lowerBound..<bytes.count
    words[last].source = words[last].source.lowerBound..<end
  }
}

/// Folds scalars, and remembers those outside ASCII.
package struct ScalarFolding {
  enum Part {
    /// A letter or digit of a word.
    case letter(Unicode.Scalar)
    /// A character that is a word of its own.
    case word(Unicode.Scalar)
    /// An accent, which is left out and does not end a word.
    case mark
    case separator
  }

  private var known: [Unicode.Scalar: [Part]] = [:]
  private static let ascii: [[Part]] = (0..<0x80).map { value in
    let scalar = Unicode.Scalar(UInt8(value))
    guard scalar.properties.isAlphabetic || (0x30...0x39).contains(value) else {
      return [.separator]
    }
    return [.letter(Unicode.Scalar(scalar.properties.lowercaseMapping) ?? scalar)]
  }

  package init() {}

  mutating func folded(_ scalar: Unicode.Scalar) -> [Part] {
    if scalar.isASCII { return Self.ascii[Int(scalar.value)] }
    if let parts = known[scalar] { return parts }
    let parts = Self.fold(scalar)
    known[scalar] = parts
    return parts
  }

  private static func fold(_ scalar: Unicode.Scalar) -> [Part] {
    // Upper case first, because "ß" is "SS" there. Scalar by scalar, a sigma does not depend on its
    // place in the word.
    let folded = String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars
      .map(\.properties.uppercaseMapping).joined().unicodeScalars
      .map(\.properties.lowercaseMapping).joined().decomposedStringWithCompatibilityMapping
    return folded.unicodeScalars.map { scalar in
      let properties = scalar.properties
      if properties.canonicalCombiningClass != .notReordered { return .mark }
      switch properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
        return scalar.isOfScriptWithoutSpaces ? .word(scalar) : .letter(scalar)
      case .enclosingMark, .format: return .mark
      default: return .separator
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is written without spaces between words: Chinese, Japanese, Thai, Lao, Burmese,
  /// Khmer and Tibetan letters.
  fileprivate var isOfScriptWithoutSpaces: Bool {
    switch value {
    case 0x0E00...0x0FFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1950...0x19FF, 0x1A20...0x1AAF,
      0x2E80...0x31FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F,
      0xF900...0xFAFF, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
