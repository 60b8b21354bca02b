/// The Exif blocks of photos. Not every version of FFmpeg reads them.
enum Exif {
  /// Returns the orientation in a block (Exif 2.32, 4.6.4, tag 0x0112), from 2 to 8; `nil` if the
  /// picture is stored upright.
  static func orientation(in block: [UInt8]) -> Int? {
    let isBig = block.starts(with: Array("MM".utf8))
    guard isBig || block.starts(with: Array("II".utf8)) else { return nil }
    func number(at offset: Int, _ count: Int) -> Int? {
      Self.number(in: block, at: offset, count, isBig: isBig)
    }
    guard number(at: 2, 2) == 42, let start = number(at: 4, 4), let count = number(at: start, 2)
    else { return nil }
    for entry in 0..<count {
      let offset = start + 2 + 12 * entry
      guard let tag = number(at: offset, 2) else { return nil }
      guard tag == 0x0112 else { continue }
      guard let value = number(at: offset + 8, 2), (2...8).contains(value) else { return nil }
      return value
    }
    return nil
  }

  /// Returns the block of a PNG: its chunk `eXIf`.
  static func block(inPNG bytes: [UInt8]) -> [UInt8]? {
    chunk("eXIf", in: bytes, from: 8) { offset in
      number(in: bytes, at: offset, 4, isBig: true).map {
        (name: offset + 4, content: offset + 8, size: $0, end: offset + 12 + $0)
      }
    }
  }

  /// Returns the block of a WebP: its chunk `EXIF`.
  static func block(inWebP bytes: [UInt8]) -> [UInt8]? {
    let block = chunk("EXIF", in: bytes, from: 12) { offset in
      number(in: bytes, at: offset + 4, 4, isBig: false).map {
        (name: offset, content: offset + 8, size: $0, end: offset + 8 + $0 + $0 % 2)
      }
    }
    // Some programs write the beginning of a JPEG's segment too.
    let start = Array("Exif\0\0".utf8)
    return block.map { $0.starts(with: start) ? Array($0.dropFirst(start.count)) : $0 }
  }

  private static func chunk(
    _ name: String, in bytes: [UInt8], from start: Int,
    _ layout: (Int) -> (name: Int, content: Int, size: Int, end: Int)?
  ) -> [UInt8]? {
    var offset = start
    while let chunk = layout(offset), chunk.content + chunk.size <= bytes.count {
      if bytes[chunk.name..<(chunk.name + 4)].elementsEqual(name.utf8) {
        return Array(bytes[chunk.content..<(chunk.content + chunk.size)])
      }
      offset = chunk.end
    }
    return nil
  }

  private static func number(
    in bytes: [UInt8], at offset: Int, _ count: Int, isBig: Bool
  ) -> Int? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    let digits = bytes[offset..<(offset + count)]
    return (isBig ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }
}
