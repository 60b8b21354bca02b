/// A fixed list of words from which a person chooses. The schema checks them as well.
public protocol Vocabulary: RawRepresentable<String>, CaseIterable, Codable, Hashable, CSVValue {
  /// The name for one of the words, such as "trigger".
  static var noun: String { get }
}

extension Vocabulary {
  /// Finds the word that a person wrote, in any case.
  ///
  /// - Throws: ``RuleError`` that suggests the nearest word and lists all of them.
  public init(named text: String) throws(RuleError) {
    let lower = text.lowercased()
    if let word = Self(rawValue: text)
      ?? Self.allCases.first(where: { $0.rawValue.lowercased() == lower })
    {
      self = word
      return
    }
    let nearest = Self.allCases.min {
      $0.rawValue.lowercased().editDistance(to: lower)
        < $1.rawValue.lowercased().editDistance(to: lower)
    }
    let offer = nearest.map { "did you mean \($0.rawValue)? " } ?? ""
    throw RuleError(
      "no \(Self.noun) is called \"\(text.escapedForDisplay)\"; \(offer)"
        + "There are \(Self.words)")
  }

  /// Reads a word in any case.
  ///
  /// - Throws: ``RuleError`` for any other text.
  public init(from decoder: any Decoder) throws {
    try self.init(named: decoder.singleValueContainer().decode(String.self))
  }

  /// The word.
  public var csvField: CSVField { .word(rawValue) }

  /// All the words, as a list for a sentence.
  public static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension String {
  /// Returns how many characters to add, remove or change to turn this text into `other`.
  fileprivate func editDistance(to other: String) -> Int {
    // Untrusted text may be long, but no text that long is close to a word.
    let other = Array(other.prefix(40))
    var row = Array(0...other.count)
    for (i, character) in enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, otherCharacter) in other.enumerated() {
        let changed = diagonal + (character == otherCharacter ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(changed, row[j] + 1, diagonal + 1)
      }
    }
    return row.last ?? 0
  }
}

extension RecordingType: Vocabulary {
  /// The name for one of the words: "type".
  public static var noun: String { "type" }
}

extension RecordingPurpose: Vocabulary {
  /// The name for one of the words: "purpose".
  public static var noun: String { "purpose" }
}
