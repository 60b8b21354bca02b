/// Text in one file that does not stand in another.
///
/// SQLite keeps a row together, byte for byte, wherever it puts it. So each piece of eight bytes of
/// text that a row holds stands in every copy of the database, and where no piece of the other file
/// covers a stretch of text, no row holds it. What it cannot tell: words of a deleted row that a row
/// which is there has as well, what is shorter than ``shortest`` (the numbers between two rows
/// may look like a letter or two, and a date that was overwritten is no name), and what is not text.
/// A row of Holdfast's has at least its identity, which is longer and like no other.
enum ForeignText {
  /// So much text is reported, in bytes.
  static let shortest = 24
  /// How many bytes are compared at once: as many as one number holds.
  private static let width = 8
  /// How many pieces are kept in memory at once.
  private static let mostPieces = 1 << 22

  /// How many bytes of `file` are text of which nothing is in `other`.
  static func bytes(in file: [UInt8], notIn other: [UInt8]) -> Int {
    var isKnown = [Bool](repeating: false, count: file.count)
    // A large file is compared in several rounds, in each of which only a share of the pieces counts.
    let rounds = UInt64(max(other.count / mostPieces, 0) + 1)
    for round in 0..<rounds {
      var pieces: [UInt64] = []
      forEachPiece(of: other) { piece, _ in
        if isPart(piece, of: round, rounds) { pieces.append(piece) }
      }
      let known = Set(pieces)
      forEachPiece(of: file) { piece, end in
        guard isPart(piece, of: round, rounds), known.contains(piece) else { return }
        for index in end - width..<end { isKnown[index] = true }
      }
    }
    return file.indices.lazy.split { isKnown[$0] || !isText(file[$0]) }
      .map(\.count).filter { $0 >= shortest }.reduce(0, +)
  }

  /// Calls `body` with each eight bytes of text in a row, and where they end.
  private static func forEachPiece(
    of bytes: [UInt8], _ body: (_ piece: UInt64, _ end: Int) -> Void
  ) {
    var piece: UInt64 = 0
    var length = 0
    for (index, byte) in bytes.enumerated() {
      length = isText(byte) ? length + 1 : 0
      piece = piece << 8 | UInt64(byte)
      if length >= width { body(piece, index + 1) }
    }
  }

  /// Everything but control characters: text of any language, as UTF-8 writes it.
  private static func isText(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F }

  private static func isPart(_ piece: UInt64, of round: UInt64, _ rounds: UInt64) -> Bool {
    rounds == 1 || ((piece &* 0x9E37_79B9_7F4A_7C15) >> 32) % rounds == round
  }
}
