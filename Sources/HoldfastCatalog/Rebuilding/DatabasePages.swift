import Foundation

/// The pages of a damaged database's file, which must be a copy: its pages are rearranged.
///
/// SQLite decodes every record. Only the headers of pages are read here, to find the pages with
/// records: the SQLite of Debian 12 has no interface to single pages.
///
/// - SeeAlso: https://sqlite.org/fileformat2.html
struct DatabasePages {
  enum Kind: UInt8 {
    case interiorIndex = 2
    case interiorTable = 5
    case leafIndex = 10
    case leafTable = 13

    /// Whether the tree belongs to a table with a `rowid`.
    var isOfTable: Bool { self == .interiorTable || self == .leafTable }
  }

  private let file: FileHandle
  /// The size of a page in bytes.
  let size: Int
  /// How many whole pages there are.
  private(set) var count: Int

  private static let headerLength = 100
  /// The size of every catalog's pages, for a header that does not give it.
  private static let usualSize = 4096

  init(_ path: String) throws {
    file = try FileHandle(forUpdating: URL(filePath: path))
    let length = Int(try file.seekToEnd())
    try file.seek(toOffset: 0)
    let header = [UInt8](try file.read(upToCount: Self.headerLength) ?? Data())
    size = Self.pageSize(header) ?? Self.usualSize
    count = length / size
    // The rest of a partial last page would be misread.
    try file.truncate(atOffset: UInt64(count * size))
  }

  private static func pageSize(_ header: [UInt8]) -> Int? {
    // The three numbers are the same in every database. If they differ, the size may be wrong too.
    guard header.starts(with: "SQLite format 3\0".utf8), header.count == headerLength,
      header[21...23] == [64, 32, 32]
    else { return nil }
    let size = Int(header[16]) << 8 | Int(header[17])
    if size == 1 { return 65_536 }
    return size >= 512 && size & (size - 1) == 0 ? size : nil
  }

  func bytes(of number: Int) throws -> [UInt8] {
    try file.seek(toOffset: UInt64((number - 1) * size))
    return [UInt8](try file.read(upToCount: size) ?? Data())
  }

  private func write(_ bytes: [UInt8], to number: Int) throws {
    try file.seek(toOffset: UInt64((number - 1) * size))
    try file.write(contentsOf: Data(bytes))
  }

  /// Where the header of a page's b-tree begins. The first page begins with the file's header.
  private static func start(of number: Int) -> Int { number == 1 ? headerLength : 0 }

  /// Returns the kind of a page; `nil` if it is not a page of a b-tree.
  static func kind(of bytes: [UInt8], number: Int) -> Kind? {
    Kind(rawValue: bytes[start(of: number)])
  }

  static func children(of bytes: [UInt8], number: Int) -> [Int] {
    let start = start(of: number)
    var children: [Int] = []
    for index in 0..<bytes.short(at: start + 3) {
      let cell = bytes.short(at: start + 12 + 2 * index)
      if cell + 4 <= bytes.count, cell > 0 { children.append(bytes.long(at: cell)) }
    }
    return children + [bytes.long(at: start + 8)]
  }

  /// Makes the file a database without tables that has all these pages.
  ///
  /// The first page becomes that of an empty database, and its contents move to the end. Interior
  /// pages of an index also hold records, so they become leaves.
  mutating func rearrange() throws {
    guard count > 0 else { return }
    for number in 1...count {
      let bytes = try bytes(of: number)
      switch (Self.kind(of: bytes, number: number), number) {
      case (.leafTable?, 1):
        try write(Self.moved(bytes), to: count + 1)
      case (.interiorIndex?, 2...): try write(Self.leaf(of: bytes), to: number)
      default: continue
      }
    }
    let length = Int(try file.seekToEnd())
    count = length / size
    try write(firstPage(), to: 1)
    try file.synchronize()
  }

  /// Returns the first page with its b-tree at the start, where other pages have theirs.
  private static func moved(_ bytes: [UInt8]) -> [UInt8] {
    let length = min(8 + 2 * bytes.short(at: headerLength + 3), bytes.count - headerLength)
    var moved = bytes
    moved.replaceSubrange(0..<length, with: bytes[headerLength..<headerLength + length])
    return moved
  }

  /// Returns a leaf with the records of an interior page of an index, where each follows the number
  /// of a child.
  private static func leaf(of bytes: [UInt8]) -> [UInt8] {
    var leaf = bytes
    leaf[0] = Kind.leafIndex.rawValue
    leaf[1] = 0
    leaf[2] = 0
    for index in 0..<bytes.short(at: 3) where 12 + 2 * index + 2 <= bytes.count {
      let cell = bytes.short(at: 12 + 2 * index) + 4
      leaf[8 + 2 * index] = UInt8(truncatingIfNeeded: cell >> 8)
      leaf[9 + 2 * index] = UInt8(truncatingIfNeeded: cell)
    }
    return leaf
  }

  /// Returns the first page of a database of this size without tables.
  private func firstPage() -> [UInt8] {
    var page = [UInt8](repeating: 0, count: size)
    func set(_ values: [UInt8], at offset: Int) {
      page.replaceSubrange(offset..<offset + values.count, with: values)
    }
    func bytes(_ number: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    set(Array("SQLite format 3\0".utf8), at: 0)
    set(size == 65_536 ? [0, 1] : [UInt8(size >> 8), 0], at: 16)
    set([1, 1, 0, 64, 32, 32], at: 18)
    set(bytes(1), at: 24)  // The change counter, which says that the next number is valid.
    set(bytes(count), at: 28)
    set(bytes(1), at: 40)
    set(bytes(4), at: 44)
    set(bytes(1), at: 56)
    set(bytes(1), at: 92)
    set(bytes(3_040_001), at: 96)
    set([Kind.leafTable.rawValue, 0, 0, 0, 0], at: Self.headerLength)
    set(size == 65_536 ? [0, 0] : [UInt8(size >> 8), 0], at: Self.headerLength + 5)
    return page
  }
}

extension [UInt8] {
  /// The number of two bytes; 0 beyond the end.
  fileprivate func short(at index: Int) -> Int {
    index + 2 <= count ? Int(self[index]) << 8 | Int(self[index + 1]) : 0
  }

  /// The number of four bytes; 0 beyond the end.
  fileprivate func long(at index: Int) -> Int {
    short(at: index) << 16 | short(at: index + 2)
  }
}
