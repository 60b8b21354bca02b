/// The first words that were said in a recording, for lists in which it has no name of its own.
public struct FirstWords: Hashable, Sendable {
  /// The most characters of the words.
  public static let longestText = 40

  /// The words, cut at a word's end.
  public let text: String
  /// Whether a computer wrote the words, so that they may be wrong.
  public let isByComputer: Bool

  /// Cuts a transcript to its first words; `nil` if it has none.
  ///
  /// - Parameters:
  ///   - transcript: The transcript, or its beginning.
  ///   - isByComputer: Whether a computer wrote it.
  public init?(_ transcript: String, isByComputer: Bool) {
    let words = transcript.split(whereSeparator: \.isWhitespace)
    guard var text = words.first.map(String.init) else { return nil }
    // A script without spaces has no word's end.
    var isCut = text.count > Self.longestText
    if isCut { text = String(text.prefix(Self.longestText)) }
    for word in words.dropFirst() where !isCut {
      isCut = text.count + 1 + word.count > Self.longestText
      if !isCut { text += " \(word)" }
    }
    self.text = isCut ? "\(text)…" : text
    self.isByComputer = isByComputer
  }

  /// The words in quotation marks, marked if they are a computer's.
  public var title: String { "“\(text)”\(isByComputer ? " (a computer’s words)" : "")" }
}
