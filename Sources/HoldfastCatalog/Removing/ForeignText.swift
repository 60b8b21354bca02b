/// Text in a catalog's file that no row holds.
///
/// SQLite keeps a row together, byte for byte, wherever it puts it. So if a text in the file
/// belongs to a row, the rows have each of its pieces of eight bytes. If no such piece covers a
/// stretch of text, no row holds that text.
///
/// Three things are not detected: words of a deleted row that an existing row also has, text that
/// is shorter than ``shortest``, and what is not text. Short text is ignored because the numbers
/// between two rows may look like a letter or two, and an overwritten date is not a name. But
/// every row of Holdfast's has at least its ID, which is longer and unique.
///
/// The file is scanned once. Text that ``PieceIndex`` finds in the rows is skipped as far as the
/// two are equal. Usually nothing is left. Each piece of the rest is then looked for everywhere in
/// the rows.
struct ForeignText {
  /// The shortest text that is reported, in bytes.
  static let shortest = 24
  /// How many bytes are compared at once: as many as fit into one number.
  static let width = 8
  /// How many bytes are looked for everywhere in the rows at once.
  private static let longestBatch = 1 << 22

  private(set) var bytes = 0
  /// Whether the search stopped, so that there may be more.
  private(set) var isMore = false

  init(in file: UnsafeRawBufferPointer, notIn rows: UnsafeRawBufferPointer) {
    var suspects = unsafe Self.suspects(in: file, rows)[...]
    while !suspects.isEmpty, bytes == 0 {
      var length = 0
      let batch = suspects.prefix { suspect in
        defer { length += suspect.count }
        return length == 0 || length + suspect.count <= Self.longestBatch
      }
      suspects = suspects.dropFirst(batch.count)
      bytes = unsafe Self.foreign(batch, of: file, rows)
    }
    isMore = !suspects.isEmpty
  }

  /// Whether a byte is not a control character. Text of any language consists of such bytes in
  /// UTF-8.
  @inline(__always) static func isText(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F }

  /// Returns the stretches of text that the index does not find in the rows.
  private static func suspects(
    in file: UnsafeRawBufferPointer, _ rows: UnsafeRawBufferPointer
  ) -> [Range<Int>] {
    let index = unsafe PieceIndex(of: rows)
    var suspects: [Range<Int>] = []
    unsafe forEachText(of: file, from: shortest) { text in
      var (start, place) = (text.lowerBound, text.lowerBound)
      while place + width <= text.upperBound {
        guard let found = unsafe index.find(place, of: file) else {
          place += 1
          continue
        }
        // The equal text may begin before the piece that was found, and end after it.
        let (first, end) = unsafe index.extent(
          of: place, in: file, at: found, within: start..<text.upperBound)
        if first - start >= shortest { suspects.append(start..<first) }
        (start, place) = (end, end)
      }
      if text.upperBound - start >= shortest { suspects.append(start..<text.upperBound) }
    }
    return suspects
  }

  /// Returns how many bytes of the suspects are text that is nowhere in the rows.
  private static func foreign(
    _ suspects: ArraySlice<Range<Int>>, of file: UnsafeRawBufferPointer,
    _ rows: UnsafeRawBufferPointer
  ) -> Int {
    // Hardly any piece of the rows occurs in a suspect. One bit rules out most pieces quickly.
    let mask = 1 << 25 - 1
    var bits = [UInt64](repeating: 0, count: (mask + 1) / 64)
    var isKnown: [UInt64: Bool] = [:]
    for suspect in suspects {
      for place in suspect.lowerBound...suspect.upperBound - width {
        let piece = unsafe file.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        isKnown[piece] = false
        let bit = Int(truncatingIfNeeded: PieceIndex.hash(piece)) & mask
        bits[bit / 64] |= 1 << UInt64(bit % 64)
      }
    }
    unsafe forEachText(of: rows, from: width) { text in
      for place in text.lowerBound...text.upperBound - width {
        let piece = unsafe rows.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        let bit = Int(truncatingIfNeeded: PieceIndex.hash(piece)) & mask
        if bits[bit / 64] >> UInt64(bit % 64) & 1 == 1, isKnown[piece] != nil {
          isKnown[piece] = true
        }
      }
    }
    var bytes = 0
    for suspect in suspects {
      var start = suspect.lowerBound
      func end(_ end: Int) { if end - start >= shortest { bytes += end - start } }
      for place in suspect.lowerBound...suspect.upperBound - width {
        let piece = unsafe file.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        guard isKnown[piece] == true else { continue }
        end(place)
        start = place + width
      }
      end(suspect.upperBound)
    }
    return bytes
  }

  private static func forEachText(
    of bytes: UnsafeRawBufferPointer, from length: Int, _ body: (Range<Int>) -> Void
  ) {
    var start = 0
    for place in 0..<bytes.count where unsafe !isText(bytes[place]) {
      if place - start >= length { body(start..<place) }
      start = place + 1
    }
    if bytes.count - start >= length { body(start..<bytes.count) }
  }
}
