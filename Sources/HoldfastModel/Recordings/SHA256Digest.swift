/// A SHA-256 digest as 64 lower-case hexadecimal digits, as `sha256sum` prints it.
public struct SHA256Digest: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The 64 digits.
  public let hexadecimal: String

  /// Makes a digest from 64 lower-case hexadecimal digits; `nil` for anything else.
  public init?(hexadecimal: String) {
    guard hexadecimal.utf8.count == 64,
      hexadecimal.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return nil }
    self.hexadecimal = hexadecimal
  }

  /// Makes a digest from its bytes; `nil` unless there are 32.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    hexadecimal = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The 64 digits.
  public var description: String { hexadecimal }

  /// Reads a digest from a single string of 64 digits.
  ///
  /// - Throws: `DecodingError` for any other string.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let digest = SHA256Digest(hexadecimal: text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not a SHA-256 digest"))
    }
    self = digest
  }

  /// Writes the digest as a single string of 64 digits.
  public func encode(to encoder: any Encoder) throws { try hexadecimal.encode(to: encoder) }
}
