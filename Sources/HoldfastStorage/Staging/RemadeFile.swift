package import HoldfastModel

/// A file that was remade for a recording that already has its row.
///
/// It is published first, and its row is updated right after. After a crash, the hash shows which
/// of the two is still to be done.
package struct RemadeFile: Hashable, Sendable {
  package let path: RelativePath
  package let hash: SHA256Digest
  /// One line of other information for the row, kept word for word.
  package let note: String?

  package init(path: RelativePath, hash: SHA256Digest, note: String? = nil) {
    self.path = path
    self.hash = hash
    self.note = note
  }

  /// The file as a line of a staging folder's list. No name that Holdfast gives has a space.
  var line: String { "\(hash.hexadecimal) \(path.string)" + (note.map { " \($0)" } ?? "") }

  init?(line: String) {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, let hash = SHA256Digest(hexadecimal: String(words[0])),
      let path = RelativePath(String(words[1]))
    else { return nil }
    self.init(path: path, hash: hash, note: words.count > 2 ? String(words[2]) : nil)
  }
}
