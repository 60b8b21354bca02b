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

  /// Names a file.
  public init(path: RelativePath, hash: SHA256Digest) {
    self.path = path
    self.hash = hash
  }

  /// How a staging folder's list names it; no name that Holdfast gives has a space.
  var line: String { "\(hash.hexadecimal) \(path.string)" }

  init?(line: String) {
    let words = line.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let hash = SHA256Digest(hexadecimal: String(words[0])),
      let path = RelativePath(String(words[1]))
    else { return nil }
    self.init(path: path, hash: hash)
  }
}
