/// Finds pieces of text in the rows of a catalog.
///
/// Every sixteenth piece of eight bytes is in the table. So of any 23 bytes of the rows at least one piece is
/// found, and from there a comparison shows how far they are equal. The rows must outlive it.
@safe struct PieceIndex {
  private static let stride = 16

  private let rows: UnsafeRawBufferPointer
  /// For each place in the table the number of a piece, from 1 on, and above it some bits of the piece's
  /// hash, which save most comparisons; 0 where there is none.
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

  /// The place of the eight bytes at `place` of `file` in the rows; `nil` if the table does not have them.
  func find(_ place: Int, of file: UnsafeRawBufferPointer) -> Int? {
    slot(of: unsafe file.loadUnaligned(fromByteOffset: place, as: UInt64.self)).place
  }

  /// Where a piece is in the table, or would be, and where in the rows.
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

  /// How far `file` around `place` and the rows around `found` are equal.
  ///
  /// - Parameter limits: Where to stop in `file`.
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
