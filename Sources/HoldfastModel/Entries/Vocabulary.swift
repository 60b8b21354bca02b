/// A fixed list of words that a person chooses from, and that the schema checks as well.
public protocol Vocabulary: RawRepresentable<String>, CaseIterable, Codable, Hashable, Sendable {
  /// What one of the words is called, such as "trigger".
  static var noun: String { get }
}

extension Vocabulary {
  /// Finds the word that a person wrote, whatever its case.
  ///
  /// - Parameter text: What was written.
  /// - Throws: ``RuleError`` that offers the nearest word and names all of them.
  public init(named text: String) throws(RuleError) {
    let lower = text.lowercased()
    if let word = Self.allCases.first(where: { $0.rawValue.lowercased() == lower }) {
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

  /// Reads a word, whatever its case.
  ///
  /// - Throws: ``RuleError`` for any other text.
  public init(from decoder: any Decoder) throws {
    try self.init(named: decoder.singleValueContainer().decode(String.self))
  }

  /// All the words, as a list in a sentence.
  public static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension String {
  /// How many characters must be added, dropped or changed to make `other` of this text.
  fileprivate func editDistance(to other: String) -> Int {
    // A stranger's text may be long; nothing near a word is.
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
  /// "type"
  public static var noun: String { "type" }
}

extension RecordingPurpose: Vocabulary {
  /// "purpose"
  public static var noun: String { "purpose" }
}
