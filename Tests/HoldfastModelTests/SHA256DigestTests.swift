import Foundation
import HoldfastModel
import Testing

@Suite("A SHA-256 digest")
struct SHA256DigestTests {
  /// `printf '' | sha256sum`.
  static let ofNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  @Test("Its digits are those of its bytes")
  func bytes() throws {
    let bytes = (0..<32).map { UInt8($0 * 8 + 1) }
    let digest = try #require(SHA256Digest(bytes: bytes))
    #expect(digest.hexadecimal == bytes.map { String(format: "%02x", $0) }.joined())
    #expect(SHA256Digest(hexadecimal: digest.hexadecimal) == digest)
    #expect(digest.description == digest.hexadecimal)
  }

  @Test("Any other number of bytes is refused", arguments: [0, 31, 33, 64])
  func otherCounts(_ count: Int) {
    #expect(SHA256Digest(bytes: [UInt8](repeating: 1, count: count)) == nil)
  }

  @Test(
    "Anything but 64 lower-case digits is refused",
    arguments: [
      "", String(ofNothing.dropLast()), ofNothing + "0", ofNothing.uppercased(),
      ofNothing.replacingOccurrences(of: "e3", with: "g3"),
      ofNothing.replacingOccurrences(of: "e3", with: " 3"),
      String(repeating: "\u{FF11}", count: 64), String(repeating: "é", count: 32),
    ])
  func otherText(_ text: String) {
    #expect(SHA256Digest(hexadecimal: text) == nil)
  }

  @Test("JSON holds one string, and a bad one is refused")
  func codable() throws {
    let digest = try #require(SHA256Digest(hexadecimal: Self.ofNothing))
    let data = try JSONEncoder().encode([digest])
    #expect(String(decoding: data, as: UTF8.self) == #"["\#(Self.ofNothing)"]"#)
    #expect(try JSONDecoder().decode([SHA256Digest].self, from: data) == [digest])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([SHA256Digest].self, from: Data(#"["abc"]"#.utf8))
    }
  }
}
