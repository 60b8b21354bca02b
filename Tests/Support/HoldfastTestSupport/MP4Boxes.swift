import Foundation

/// The boxes of an ISO base media or QuickTime file, read without Holdfast's code and FFmpeg's.
public enum MP4Boxes {
  /// One box.
  public struct Box: Hashable, Sendable {
    /// Its four characters, such as `moov`.
    public var type: String
    /// Where it begins, in bytes from the file's start.
    public var offset: UInt64
    /// How many bytes it has, its header included.
    public var size: UInt64
  }

  /// The boxes at the top of a file, in order.
  ///
  /// - Throws: ``Damage`` when a box does not fit into the file.
  /// - SeeAlso: ISO/IEC 14496-12, 4.2.
  public static func topLevel(_ path: String) throws -> [Box] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    let end = try file.seekToEnd()
    var boxes: [Box] = []
    var offset: UInt64 = 0
    while offset < end {
      try file.seek(toOffset: offset)
      let header = Array(try file.read(upToCount: 16) ?? Data())
      guard header.count >= 8 else { throw Damage(offset: offset) }
      var size = header[0..<4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      var headerSize: UInt64 = 8
      if size == 0 { size = end - offset }
      if size == 1 {
        guard header.count == 16 else { throw Damage(offset: offset) }
        size = header[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        headerSize = 16
      }
      guard size >= headerSize, size <= end - offset else { throw Damage(offset: offset) }
      boxes.append(
        Box(type: String(decoding: header[4..<8], as: UTF8.self), offset: offset, size: size))
      offset += size
    }
    return boxes
  }

  /// A box does not fit into its file.
  public struct Damage: Error, Hashable, Sendable {
    /// Where the box begins, in bytes from the file's start.
    public var offset: UInt64
  }
}
