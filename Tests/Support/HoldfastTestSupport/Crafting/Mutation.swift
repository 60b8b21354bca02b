import Foundation

/// Changes to bytes, as by damage or malice: the same for the same numbers.
public struct Mutation {
  /// Knowledge of the format whose bytes are changed.
  public struct Format: Sendable {
    /// Sequences beside which fields are found, such as the type of a box.
    public var landmarks: [[UInt8]]
    /// The distance from a landmark's end within which its fields are.
    public var reach: ClosedRange<Int>
    /// Values that overwrite fields: limits of numbers, words of the format.
    public var pieces: [[UInt8]]

    /// Makes a format.
    public init(landmarks: [[UInt8]], reach: ClosedRange<Int>, pieces: [[UInt8]]) {
      self.landmarks = landmarks
      self.reach = reach
      self.pieces = pieces
    }
  }

  /// Beyond this nothing is inserted: mutants stay small.
  private static let longest = 1 << 20

  /// The current bytes.
  public private(set) var bytes: [UInt8]
  private let format: Format
  private let landmarks: [Int]
  private var random: SeededNumbers

  /// Begins with unchanged bytes.
  public init(of bytes: [UInt8], format: Format, random: SeededNumbers) {
    self.bytes = bytes
    self.format = format
    self.random = random
    landmarks = Self.ends(of: format.landmarks, in: bytes)
  }

  /// Changes the bytes in one to `most` ways, usually few.
  ///
  /// - Parameter other: Bytes from which stretches are copied.
  public mutating func change(_ most: Int = 8, splicing other: [UInt8]) {
    let count = 1 + chance(most) * chance(100) / 100
    for _ in 0..<count { change(splicing: other) }
  }

  private mutating func change(splicing other: [UInt8]) {
    guard !bytes.isEmpty else { return insert(piece()) }
    switch chance(20) {
    case 0..<5: write(piece(), at: place())
    case 5..<8: nudgeNumber()
    case 8..<11: flipBits()
    case 11: bytes.removeSubrange(place()...)
    case 12: bytes.removeSubrange(stretch(of: bytes))
    case 13: insert(Array(bytes[stretch(of: bytes)]))
    case 14: write(other[stretch(of: other)], at: place())
    case 15: insert(Array(other[stretch(of: other)]))
    case 16: fill()
    case 17: swapStretches()
    case 18: removeOrRepeatSection()
    default: insert(piece())
    }
  }

  // MARK: Where

  /// A number below `limit`; 0 if there is none.
  private mutating func chance(_ limit: Int) -> Int {
    limit > 0 ? Int.random(in: 0..<limit, using: &random) : 0
  }

  /// Fields beside landmarks, the beginning and the end, where headers and indexes are, and the
  /// rest.
  private mutating func place() -> Int {
    let count = bytes.count
    switch chance(10) {
    case 0..<4 where !landmarks.isEmpty:
      let field = landmarks[chance(landmarks.count)] + .random(in: format.reach, using: &random)
      return min(max(field, 0), count - 1)
    case 0..<7: return chance(min(2048, count))
    case 7: return count - 1 - chance(min(4096, count))
    default: return chance(count)
    }
  }

  /// Short stretches as often as long ones.
  private mutating func stretch(of bytes: [UInt8]) -> Range<Int> {
    let bits = Int.bitWidth - max(bytes.count / 2, 1).leadingZeroBitCount
    let length = min(1 + chance(1 << chance(bits + 1)), bytes.count)
    let start = chance(bytes.count - length + 1)
    return start..<start + length
  }

  private static func ends(of landmarks: [[UInt8]], in bytes: [UInt8]) -> [Int] {
    let byFirst = Dictionary(grouping: landmarks) { $0.first ?? 0 }
    let candidates = (0...UInt8.max).map { byFirst[$0] ?? [] }
    var ends: [Int] = []
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      for start in bytes.indices {
        for landmark in candidates[Int(bytes[start])] {
          let end = start + landmark.count
          guard end <= bytes.count, memcmp(base + start, landmark, landmark.count) == 0 else {
            continue
          }
          ends.append(end)
        }
      }
    }
    return ends.sorted()
  }

  // MARK: What

  private mutating func piece() -> [UInt8] { format.pieces[chance(format.pieces.count)] }

  private mutating func write(_ piece: some Collection<UInt8>, at place: Int) {
    bytes.replaceSubrange(place..<min(place + piece.count, bytes.count), with: piece)
  }

  private mutating func insert(_ piece: [UInt8]) {
    guard bytes.count + piece.count <= Self.longest else { return }
    bytes.insert(contentsOf: piece, at: bytes.isEmpty ? 0 : place())
  }

  /// Sizes, counts and offsets that are off by a little, or by half.
  private mutating func nudgeNumber() {
    let start = place()
    let field = start..<min(start + [1, 2, 4, 8][chance(4)], bytes.count)
    let isBigEndian = chance(3) > 0
    let places = isBigEndian ? Array(field.reversed()) : Array(field)
    var value = places.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) }
    switch chance(6) {
    case 0: value &+= 1
    case 1: value &-= 1
    case 2: value &*= 2
    case 3: value /= 2
    case 4: value = 0 &- value
    default: value &+= UInt64(bitPattern: Int64.random(in: -64...64, using: &random))
    }
    for place in places {
      bytes[place] = UInt8(truncatingIfNeeded: value)
      value >>= 8
    }
  }

  private mutating func flipBits() {
    for _ in 0...chance(8) { bytes[place()] ^= 1 << UInt8(chance(8)) }
  }

  private mutating func fill() {
    let fills: [UInt8] = [0, 0xFF, 0x7F, 0x80, .random(in: 0...255, using: &random)]
    let value = fills[chance(fills.count)]
    for place in stretch(of: bytes) { bytes[place] = value }
  }

  private mutating func swapStretches() {
    let (one, other) = (stretch(of: bytes), stretch(of: bytes))
    for (a, b) in zip(one, other) where a != b { bytes.swapAt(a, b) }
  }

  /// A whole unit lies between two landmarks: a box, a page, an object.
  private mutating func removeOrRepeatSection() {
    guard landmarks.count > 1 else { return }
    let places = [chance(landmarks.count), chance(landmarks.count)].sorted()
    let section = landmarks[places[0]]..<landmarks[places[1]]
    // Landmarks are those of the original, which may have been longer.
    guard section.upperBound <= bytes.count else { return }
    switch chance(2) {
    case 0: bytes.removeSubrange(section)
    default: insert(Array(bytes[section]))
    }
  }
}
