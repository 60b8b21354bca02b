import Foundation

/// Ends the edit lists of a QuickTime file, as a phone does that trims a clip, by overwriting the
/// lengths that ffmpeg wrote: it can write no list that ends before the packets do.
public enum EditedLength {
  /// A box is not as ffmpeg writes it.
  public struct Unexpected: Error {
    /// The box's type.
    public var type: String
  }

  /// - Parameters:
  ///   - path: A file that ffmpeg wrote, whose tracks begin at 0.
  ///   - seconds: When each of its tracks ends.
  public static func end(_ path: String, at seconds: Double) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    let header = try places(of: "mvhd", in: bytes)
    guard header.count == 1, let mvhd = header.first else { throw Unexpected(type: "mvhd") }
    let timescale = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[mvhd + 12 + $1]) }
    let length = UInt32((seconds * Double(timescale)).rounded())
    let figure = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
    // After the version come, in 32 bits each, two times, then the scale or the track and a reserve.
    bytes.replaceSubrange(mvhd + 16..<mvhd + 20, with: figure)
    for tkhd in try places(of: "tkhd", in: bytes) {
      bytes.replaceSubrange(tkhd + 20..<tkhd + 24, with: figure)
    }
    for elst in try places(of: "elst", in: bytes) {
      guard bytes[elst + 7] == 1 else { throw Unexpected(type: "elst") }
      bytes.replaceSubrange(elst + 8..<elst + 12, with: figure)
    }
    try bytes.write(to: URL(filePath: path))
  }

  /// Where the contents of boxes of a type begin, which have version 0.
  private static func places(of type: String, in bytes: Data) throws -> [Int] {
    var places: [Int] = []
    var from = bytes.startIndex
    while let found = bytes.range(of: Data(type.utf8), in: from..<bytes.endIndex) {
      guard bytes[found.upperBound] == 0 else { throw Unexpected(type: type) }
      places.append(found.upperBound)
      from = found.upperBound
    }
    guard !places.isEmpty else { throw Unexpected(type: type) }
    return places
  }
}
