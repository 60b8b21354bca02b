import Foundation

extension Recording {
  /// The text to search: title, original name and notes, folded.
  ///
  /// The title comes first and ends with a line break. So sorting by this text sorts by title,
  /// without regard to case and accents. Recordings without a title sort by name.
  package var searchText: String {
    [title ?? "", ingestion.originalFilename, notes ?? ""].joined(separator: "\n").foldedForSearch
  }
}

extension String {
  /// The text in lower case and without diacritics, the same no matter how it was composed.
  ///
  /// Stored text and search words are folded in the same way, and only by Unicode's tables. So the
  /// results do not depend on the locale.
  public var foldedForSearch: String {
    // Most text has nothing else to fold.
    if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
    let decomposed = lowercased().decomposedStringWithCanonicalMapping
    // A mark that can be reordered around its letter is a diacritic. The vowel signs of Indic
    // scripts are marks too, but are not reordered.
    var folded = String.UnicodeScalarView()
    folded.append(
      contentsOf: decomposed.unicodeScalars.lazy.filter {
        $0.properties.canonicalCombiningClass == .notReordered
      })
    return String(folded)
  }

  /// The text without regard to case, the same no matter how it was composed. Texts that people
  /// take for the same word are equal in it: "Faith" and "faith", but not "pêche" and "péché".
  ///
  /// It depends only on Unicode's tables and not on the locale. Upper case comes first, because
  /// "ß" is "SS" there.
  public var foldedCase: String {
    uppercased().lowercased().precomposedStringWithCanonicalMapping
  }
}
