import Foundation

/// Ends the edit lists of a QuickTime file, as phones trim clips, by overwriting the lengths that
/// ffmpeg wrote: it can write no list that ends before the packets do.
public enum EditedLength {
  /// A box is not as ffmpeg writes it.
  public struct Unexpected: Error {
    /// The box's type.
    public var type: String
  }

  /// - Parameters:
  ///   - path: A file that ffmpeg wrote.
  ///   - seconds: When each of its tracks ends.
  public static func end(_ path: String, at seconds: Double) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    let header = try places(of: "mvhd", in: bytes)
    guard header.count == 1, let mvhd = header.first else { throw Unexpected(type: "mvhd") }
    let timescale = bytes.figure(at: mvhd + 12)
    let length = UInt32((seconds * Double(timescale)).rounded())
    let figure = Bytes.big(length)
    // After the version come, in 32 bits each, two times, then the scale or the track and a
    // reserve.
    bytes.replaceSubrange(mvhd + 16..<mvhd + 20, with: figure)
    for tkhd in try places(of: "tkhd", in: bytes) {
      bytes.replaceSubrange(tkhd + 20..<tkhd + 24, with: figure)
    }
    for elst in try places(of: "elst", in: bytes) {
      // An empty edit may come first.
      let count = Int(bytes.figure(at: elst + 4))
      guard 1...2 ~= count else { throw Unexpected(type: "elst") }
      let last = elst + 8 + (count - 1) * 12
      let empty = count == 2 ? bytes.figure(at: elst + 8) : 0
      bytes.replaceSubrange(last..<last + 4, with: Bytes.big(length - empty))
    }
    try bytes.write(to: URL(filePath: path))
  }

  /// Hides the start of the last track, as phones trim clips.
  ///
  /// - Parameters:
  ///   - path: A file that ffmpeg wrote.
  ///   - ticks: How much is hidden, on the track's own clock.
  public static func hideStart(_ path: String, ticks: UInt32) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    guard let elst = try places(of: "elst", in: bytes).last else { throw Unexpected(type: "elst") }
    let time = elst + 8 + (Int(bytes.figure(at: elst + 4)) - 1) * 12 + 4
    bytes.replaceSubrange(time..<time + 4, with: Bytes.big(bytes.figure(at: time) + ticks))
    try bytes.write(to: URL(filePath: path))
  }

  /// The offsets of the contents of a type's boxes, which have version 0.
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

extension Data {
  /// 32 bits, the highest first.
  fileprivate func figure(at place: Int) -> UInt32 {
    (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(self[place + $1]) }
  }
}
