internal import Foundation
public import HoldfastModel

/// The manifest of a bag: the SHA-256 of each of its files, by the file's path in the bag.
///
/// Paths are bytes: to Swift, two texts that differ in bytes may be equal, and a slash that a
/// combining mark follows is no slash.
///
/// - SeeAlso: RFC 8493, section 2.1.3
public struct BagManifest: Hashable, Sendable {
  /// The hashes, by the bytes of paths relative to the bag's folder.
  public private(set) var hashes: [[UInt8]: SHA256Digest] = [:]

  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
  private static let (blank, tab, percent) = (
    UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "%")
  )

  /// Makes an empty manifest.
  public init() {}

  /// The hash of a file; `nil` if it is not listed.
  public subscript(path: String) -> SHA256Digest? {
    get { hashes[Array(path.utf8)] }
    set { hashes[Array(path.utf8)] = newValue }
  }

  /// The files in the order of their paths' bytes.
  public var files: [(path: String, hash: SHA256Digest)] {
    sorted.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
  }

  private var sorted: [(key: [UInt8], value: SHA256Digest)] {
    hashes.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// Reads a manifest.
  ///
  /// - Parameters:
  ///   - bytes: The file: a hash, blanks, and a path on each line.
  ///   - path: The manifest's path, for errors.
  /// - Throws: ``StorageError`` with the code `damagedBag` for a line that is none, for a path that is
  ///   not UTF-8 or leaves the bag, and for a file that is there twice.
  public init(_ bytes: [UInt8], path: String) throws(StorageError) {
    for line in bytes.split(whereSeparator: { $0 == Self.lineFeed || $0 == Self.carriageReturn }) {
      let isBlank = { (byte: UInt8) in byte == Self.blank || byte == Self.tab }
      let digits = line.prefix { !isBlank($0) }
      let rest = line[digits.endIndex...].drop(while: isBlank).drop { $0 == UInt8(ascii: "*") }
      guard
        let hash = SHA256Digest(
          hexadecimal: String(decoding: digits, as: UTF8.self).lowercased()),
        let file = Self.decoded(rest), hashes.updateValue(hash, forKey: file) == nil
      else {
        throw StorageError(
          .damagedBag, "read", path: path,
          detail: String(decoding: line.prefix(200), as: UTF8.self))
      }
    }
  }

  /// The manifest as its file, sorted by path.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for (path, hash) in sorted {
      bytes += Array(hash.hexadecimal.utf8) + [Self.blank, Self.blank] + Self.encoded(path)
      bytes.append(Self.lineFeed)
    }
    return bytes
  }

  /// A path as a manifest writes it. Line ends and the percent sign would be misread.
  private static func encoded(_ path: [UInt8]) -> [UInt8] {
    guard path.contains(where: { [lineFeed, carriageReturn, percent].contains($0) }) else {
      return path
    }
    return path.flatMap { byte in
      switch byte {
      case percent: Array("%25".utf8)
      case lineFeed: Array("%0A".utf8)
      case carriageReturn: Array("%0D".utf8)
      default: [byte]
      }
    }
  }

  /// Returns the path, or `nil` if it is not one in the bag.
  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
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
    guard String(validating: path, as: UTF8.self) != nil, path.components != nil else { return nil }
    return path
  }
}

extension [UInt8] {
  /// The parts of a relative path; `nil` if it is none, or leads out of its folder.
  var components: [[UInt8]]? {
    let parts = split(separator: Layout.slash, omittingEmptySubsequences: false).map(Array.init)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && part != [0x2E] && part != [0x2E, 0x2E] && !part.contains(0)
    }
    return isPlain ? parts : nil
  }
}
