internal import Foundation
internal import HoldfastModel

extension Recording {
  /// The text that searches look in: title, original name and notes, folded.
  ///
  /// The title comes first and a line break ends it, so that sorting by this text sorts by title,
  /// without regard to case and accents, and by name where there is no title.
  var searchText: String {
    [title ?? "", ingestion.originalFilename, notes ?? ""].joined(separator: "\n").foldedForSearch
  }
}

extension String {
  /// This text in lower case and without diacritics, the same however it was composed.
  ///
  /// Stored text and search words are folded alike, and by Unicode's tables alone: what is found
  /// does not depend on the locale.
  var foldedForSearch: String {
    let decomposed = lowercased().decomposedStringWithCanonicalMapping
    // A mark that is reordered around its letter is a diacritic; the vowel signs of Indic scripts
    // are marks too, but are not reordered.
    var folded = String.UnicodeScalarView()
    folded.append(
      contentsOf: decomposed.unicodeScalars.lazy.filter {
        $0.properties.canonicalCombiningClass == .notReordered
      })
    return String(folded)
  }
}
