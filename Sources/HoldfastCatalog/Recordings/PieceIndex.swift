/// An index that finds pieces of text in the rows of a catalog.
///
/// Its table has every sixteenth piece of eight bytes. So any 23 bytes of text from the rows
/// contain at least one piece that is found. From there a comparison shows how far the texts are
/// equal. The rows must outlive the index.
@safe struct PieceIndex {
  private static let stride = 16

  private let rows: UnsafeRawBufferPointer
  /// The entries. Each has the number of a piece, counted from 1, in its low bits, and a part of
  /// the piece's hash above that, which saves most comparisons. 0 means no entry.
  private var table: [UInt32]
  private let shift: UInt64
  private let numberBits: UInt32

  init(of rows: UnsafeRawBufferPointer) {
    unsafe self.rows = unsafe rows
    let count = rows.count / Self.stride + 1
    let tableBits = Int.bitWidth - (2 * count).leadingZeroBitCount
    numberBits = UInt32(Int.bitWidth - count.leadingZeroBitCount)
    shift = UInt64(64 - tableBits)
    table = [UInt32](repeating: 0, count: 1 << tableBits)
    for place in Swift.stride(from: 0, through: rows.count - ForeignText.width, by: Self.stride) {
      let piece = unsafe rows.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let isText = (place..<place + ForeignText.width).allSatisfy { at in
        unsafe ForeignText.isText(rows[at])
      }
      if isText { insert(piece, at: place) }
    }
  }

  @inline(__always) static func hash(_ piece: UInt64) -> UInt64 {
    let product = piece &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 29
  }

  private mutating func insert(_ piece: UInt64, at place: Int) {
    let (slot, known) = slot(of: piece)
    guard known == nil else { return }
    table[slot] = tag(piece) | UInt32(place / Self.stride + 1)
  }

  /// Returns where the rows have the eight bytes at `place` of `file`, or `nil` if the table lacks
  /// them.
  func find(_ place: Int, of file: UnsafeRawBufferPointer) -> Int? {
    slot(of: unsafe file.loadUnaligned(fromByteOffset: place, as: UInt64.self)).place
  }

  /// Returns a piece's slot in the table, or the slot for it, and its place in the rows.
  private func slot(of piece: UInt64) -> (slot: Int, place: Int?) {
    var slot = Int(truncatingIfNeeded: (piece &* 0xD6E8_FEB8_6659_FD93) >> shift)
    let (tag, numbers) = (tag(piece), UInt32(1) << numberBits &- 1)
    while true {
      let entry = table[slot]
      if entry == 0 { return (slot, nil) }
      if entry & ~numbers == tag {
        let place = Int(entry & numbers - 1) * Self.stride
        if unsafe rows.loadUnaligned(fromByteOffset: place, as: UInt64.self) == piece {
          return (slot, place)
        }
      }
      slot = (slot + 1) & (table.count - 1)
    }
  }

  private func tag(_ piece: UInt64) -> UInt32 {
    (UInt32(truncatingIfNeeded: Self.hash(piece)) >> numberBits) << numberBits
  }

  /// Returns how far `file` around `place` and the rows around `found` are equal.
  ///
  /// - Parameter limits: The bounds of the comparison in `file`.
  func extent(
    of place: Int, in file: UnsafeRawBufferPointer, at found: Int, within limits: Range<Int>
  ) -> (first: Int, end: Int) {
    let (offset, count) = (found - place, unsafe rows.count)
    var (first, end) = (place, place + ForeignText.width)
    func isEqual(_ place: Int) -> Bool {
      unsafe (file[place] == rows[place + offset])
    }
    while first > limits.lowerBound, first + offset > 0, isEqual(first - 1) { first -= 1 }
    while end < limits.upperBound, end + offset < count, isEqual(end) { end += 1 }
    return (first, end)
  }
}
