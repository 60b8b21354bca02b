import Foundation

// A day of video has millions of pictures. As a JSON list of numbers, their times would need a
// gigabyte of memory to read. As the differences between them, they need only a few bytes each.

extension PictureTimes {
  /// The most pictures that can be described: a day at 48 a second.
  private static let most = 1 << 22

  private enum CodingKeys: CodingKey {
    case numerator, denominator, shown, keyframes, end
  }

  /// Reads times that ``encode(to:)`` wrote.
  ///
  /// - Throws: `DecodingError` if there are more times than a day has pictures, or if the bytes do
  ///   not hold times.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func numbers(_ key: CodingKeys) throws -> [Int64] {
      let bytes = try container.decode(Data.self, forKey: key)
      guard let numbers = DifferenceCoding.numbers(of: bytes, atMost: Self.most) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "no times of at most \(Self.most) pictures")
      }
      return numbers
    }
    self.init(
      numerator: try container.decode(Int32.self, forKey: .numerator),
      denominator: try container.decode(Int32.self, forKey: .denominator),
      shown: try numbers(.shown), keyframes: try numbers(.keyframes).map { Int($0) },
      end: try container.decode(Int64.self, forKey: .end))
  }

  /// Writes the times as bytes that hold the differences between them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(numerator, forKey: .numerator)
    try container.encode(denominator, forKey: .denominator)
    try container.encode(DifferenceCoding.bytes(of: shown), forKey: .shown)
    try container.encode(
      DifferenceCoding.bytes(of: keyframes.map { Int64($0) }), forKey: .keyframes)
    try container.encode(end, forKey: .end)
  }
}

/// Stores numbers as the differences between them.
///
/// A difference is split into groups of seven bits, lowest first. Its sign is in the lowest bit, so
/// that small differences take one byte. (Elsewhere this is called "LEB128" and "zigzag".)
private enum DifferenceCoding {
  static func bytes(of numbers: [Int64]) -> Data {
    var bytes = Data(capacity: numbers.count * 2)
    var last: Int64 = 0
    for number in numbers {
      let difference = number &- last
      var rest = UInt64(bitPattern: difference &<< 1 ^ difference >> 63)
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
      last = number
    }
    return bytes
  }

  /// Returns the numbers; `nil` if there are more than `most`, or if the bytes end in the middle of
  /// one.
  static func numbers(of bytes: Data, atMost most: Int) -> [Int64]? {
    var numbers: [Int64] = []
    var last: Int64 = 0
    var (value, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      guard shift < 70, numbers.count < most else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      last &+= Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
      numbers.append(last)
      (value, shift) = (0, 0)
    }
    return shift == 0 ? numbers : nil
  }
}
