public import HoldfastModel

/// The manifest of a bag: the SHA-256 of each of its files, by the file's path in the bag.
///
/// - SeeAlso: RFC 8493, section 2.1.3
public struct BagManifest: Hashable, Sendable {
  /// The hashes, by paths relative to the bag's folder.
  public var hashes: [String: SHA256Digest] = [:]

  /// Makes an empty manifest.
  public init() {}

  /// Reads a manifest.
  ///
  /// - Parameters:
  ///   - text: The file's text: a hash, blanks, and a path on each line.
  ///   - path: The manifest's path, for errors.
  /// - Throws: ``StorageError`` with the code `damagedBag` for a line that is none, for a path that
  ///   leaves the bag, and for a file that is there twice.
  public init(text: String, path: String) throws(StorageError) {
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "\t" })
      guard parts.count == 2, let hash = SHA256Digest(hexadecimal: parts[0].lowercased()),
        let file = Self.decoded(parts[1].drop { $0 == " " || $0 == "\t" || $0 == "*" }),
        hashes.updateValue(hash, forKey: file) == nil
      else {
        throw StorageError(.damagedBag, "read", path: path, detail: String(line.prefix(200)))
      }
    }
  }

  /// The manifest as text, sorted by path.
  public var text: String {
    hashes.sorted { $0.key < $1.key }.map { "\($0.value)  \(Self.encoded($0.key))\n" }.joined()
  }

  /// A path as a manifest writes it. Line ends and the percent sign would be misread.
  private static func encoded(_ path: String) -> String {
    guard path.utf8.contains(where: { [0x0A, 0x0D, 0x25].contains($0) }) else { return path }
    return path.unicodeScalars.map { scalar in
      switch scalar {
      case "%": "%25"
      case "\n": "%0A"
      case "\r": "%0D"
      default: String(scalar)
      }
    }.joined()
  }

  /// Returns the path, or `nil` if it is not one in the bag.
  private static func decoded(_ text: Substring) -> String? {
    let path =
      text.contains("%")
      ? text.replacing("%0A", with: "\n").replacing("%0a", with: "\n")
        .replacing("%0D", with: "\r").replacing("%0d", with: "\r").replacing("%25", with: "%")
      : text
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !path.utf8.contains(0), parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
      return nil
    }
    return String(path)
  }
}
