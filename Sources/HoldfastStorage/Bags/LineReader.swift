import HoldfastModel

/// Reads the lines of a file, one after another, without having the file in memory.
struct LineReader {
  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
  /// The longest line. A path in a list is much shorter.
  private static let longest = 1 << 20

  private let file: OpenFile
  /// The offset in the file of the first line that has not been returned.
  private(set) var offset: Int64
  private var chunk: [UInt8]
  private var rest: ArraySlice<UInt8> = []

  /// - Parameter offset: Where a line begins.
  init(_ file: OpenFile, at offset: Int64 = 0, reading size: Int = 1 << 16) {
    self.file = file
    self.offset = offset
    chunk = [UInt8](repeating: 0, count: size)
  }

  /// Returns the next line that is not empty, without its end; `nil` after the last one. Throws
  /// `damagedBag` for a line that is too long for a list.
  mutating func next() throws(HoldfastError) -> ArraySlice<UInt8>? {
    while true {
      if let end = rest.firstIndex(where: { $0 == Self.lineFeed || $0 == Self.carriageReturn }) {
        let line = rest[..<end]
        consume(line.count + 1)
        if !line.isEmpty { return line }
        continue
      }
      guard rest.count < Self.longest else {
        throw HoldfastError(
          .damagedBag, operation: "read", path: file.path, detail: "it has a line without end")
      }
      let count = try SystemCalls.read(file, into: &chunk, at: offset + Int64(rest.count))
      if count == 0 {
        let line = rest
        consume(line.count)
        return line.isEmpty ? nil : line
      }
      rest = ArraySlice(rest + chunk[..<count])
    }
  }

  private mutating func consume(_ count: Int) {
    rest = rest.dropFirst(count)
    offset += Int64(count)
  }
}
