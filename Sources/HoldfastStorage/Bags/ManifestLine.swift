import HoldfastModel

/// A line of a manifest: a file's SHA-256, and its path in the bag.
///
/// Paths are bytes: to Swift, two texts that differ in bytes may be equal, and a slash before a
/// combining mark is not a slash.
///
/// - SeeAlso: RFC 8493, section 2.1.3
struct ManifestLine: Hashable, Sendable {
  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
  private static let (blank, tab, percent) = (
    UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "%")
  )

  let path: [UInt8]
  let hash: SHA256Digest

  init(_ path: [UInt8], _ hash: SHA256Digest) {
    self.path = path
    self.hash = hash
  }

  /// `nil` if the line is not a hash, blanks, and a path, if the path is not UTF-8, or if it leaves
  /// the bag.
  init?(_ line: ArraySlice<UInt8>) {
    let isBlank = { (byte: UInt8) in byte == Self.blank || byte == Self.tab }
    let digits = line.prefix { !isBlank($0) }
    let rest = line[digits.endIndex...].drop(while: isBlank).drop { $0 == UInt8(ascii: "*") }
    guard
      let hash = SHA256Digest(hexadecimal: String(decoding: digits, as: UTF8.self).lowercased()),
      let path = Self.decoded(rest)
    else { return nil }
    self.init(path, hash)
  }

  var bytes: [UInt8] {
    Array(hash.hexadecimal.utf8) + [Self.blank, Self.blank] + encodedPath + [Self.lineFeed]
  }

  /// The path as a manifest writes it. Line ends and the percent sign would be misread.
  private var encodedPath: [UInt8] {
    let special = [Self.lineFeed, Self.carriageReturn, Self.percent]
    guard path.contains(where: special.contains) else { return path }
    return path.flatMap { byte in
      switch byte {
      case Self.percent: Array("%25".utf8)
      case Self.lineFeed: Array("%0A".utf8)
      case Self.carriageReturn: Array("%0D".utf8)
      default: [byte]
      }
    }
  }

  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let path = text.contains(percent) ? unescaped(text) : Array(text)
    guard String(validating: path, as: UTF8.self) != nil, path.components != nil else { return nil }
    return path
  }

  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var path: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      switch (byte, String(decoding: rest.prefix(2), as: UTF8.self).uppercased()) {
      case (percent, "25"), (percent, "0A"), (percent, "0D"):
        path.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? byte)
        rest = rest.dropFirst(2)
      default: path.append(byte)
      }
    }
    return path
  }
}

extension ManifestLine: Comparable {
  static func < (first: ManifestLine, second: ManifestLine) -> Bool {
    first.path.lexicographicallyPrecedes(second.path)
  }
}

extension [UInt8] {
  /// The parts of a relative path; `nil` if it is not one, or leads out of its folder.
  var components: [[UInt8]]? {
    let parts = split(separator: Layout.slash, omittingEmptySubsequences: false).map(Array.init)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && part != [0x2E] && part != [0x2E, 0x2E] && !part.contains(0)
    }
    return isPlain ? parts : nil
  }
}
