public import HoldfastModel

/// A file that was made anew for a recording that has its row already.
///
/// It is published first and its row set right after; its hash tells which of the two a crash left
/// undone.
public struct RemadeFile: Hashable, Sendable {
  /// The path that it gets.
  public let path: RelativePath
  /// Its hash.
  public let hash: SHA256Digest
  /// What else its row is to be told: one line, kept word for word.
  public let note: String?

  /// Names a file.
  public init(path: RelativePath, hash: SHA256Digest, note: String? = nil) {
    self.path = path
    self.hash = hash
    self.note = note
  }

  /// How a staging folder's list names it; no name that Holdfast gives has a space.
  var line: String { "\(hash.hexadecimal) \(path.string)" + (note.map { " \($0)" } ?? "") }

  init?(line: String) {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, let hash = SHA256Digest(hexadecimal: String(words[0])),
      let path = RelativePath(String(words[1]))
    else { return nil }
    self.init(path: path, hash: hash, note: words.count > 2 ? String(words[2]) : nil)
  }
}
