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
    words.reserveCapacity(text.utf8.count / 4)
    let ascii = ScalarFolding.ascii
    /// The word that has begun, in the folded bytes and in the text.
    var word: (folded: Int, source: Int)?
    /// The end of the last letter or accent.
    var end = 0
    func finish(_ words: inout [Word], _ bytes: [UInt8]) {
      guard let begun = word else { return }
      words.append(Word(folded: begun.folded..<bytes.count, source: begun.source..<end))
      word = nil
    }
    func begin(_ bytes: inout [UInt8], at start: Int) {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
      word = (bytes.count, start)
    }
    var place = 0
    for scalar in text.unicodeScalars {
      let start = place
      if scalar.isASCII {
        place += 1
        let letter = ascii[Int(scalar.value)]
        if letter == 0 {
          finish(&words, bytes)
        } else {
          if word == nil { begin(&bytes, at: start) }
          bytes.append(letter)
          end = place
        }
        continue
      }
      place += UTF8.width(scalar)
      for part in folding.folded(scalar) {
        switch part {
        case .mark: end = place
        case .separator: finish(&words, bytes)
        case .letter(let letter):
          if word == nil { begin(&bytes, at: start) }
          bytes.append(contentsOf: letter)
          end = place
        case .word(let letter):
          finish(&words, bytes)
          begin(&bytes, at: start)
          bytes.append(contentsOf: letter)
          end = place
          finish(&words, bytes)
        }
      }
    }
    finish(&words, bytes)
  }

  package init(_ text: String) {
    var folding = ScalarFolding()
    self.init(text, &folding)
  }

  /// The folded words, with a space between them.
  package var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Folds scalars, and remembers those outside ASCII.
package struct ScalarFolding {
  enum Part {
    /// A letter or digit of a word, in UTF-8.
    case letter([UInt8])
    /// A character that is a word of its own, in UTF-8.
    case word([UInt8])
    /// An accent, which is left out and does not end a word.
    case mark
    case separator
  }

  /// The folded letters and digits of ASCII; 0 for everything else.
  static let ascii: [UInt8] = (0..<0x80 as Range<UInt8>).map { byte in
    switch byte {
    case 0x41...0x5A: byte | 0x20
    case 0x30...0x39, 0x61...0x7A: byte
    default: 0
    }
  }

  private var known: [Unicode.Scalar: [Part]] = [:]

  package init() {}

  mutating func folded(_ scalar: Unicode.Scalar) -> [Part] {
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
        let bytes = Array(String(scalar).utf8)
        return scalar.isOfScriptWithoutSpaces ? .word(bytes) : .letter(bytes)
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
