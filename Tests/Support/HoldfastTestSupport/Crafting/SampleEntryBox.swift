import Foundation

/// Boxes that describe a picture, put into a file that an encoder made without them.
public enum SampleEntryBox {
  /// Copies a file whose `moov` comes last, with boxes added to its first HEVC sample entry.
  public static func insert(_ boxes: [UInt8], into source: String, as path: String) throws {
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: source)))
    // Each box around the place grows; with nothing behind `moov`, nothing else moves.
    var start = 0
    var end = bytes.count
    for (name, header) in [
      ("moov", 8), ("trak", 8), ("mdia", 8), ("minf", 8), ("stbl", 8), ("stsd", 16), ("hvc1", 86),
    ] {
      while start < end, Array(bytes[start + 4..<start + 8]) != Array(name.utf8) {
        start += size(bytes, at: start)
      }
      guard start < end else { throw POSIXError(.EINVAL) }
      let length = size(bytes, at: start)
      end = start + length
      bytes.replaceSubrange(start..<start + 4, with: Bytes.big(UInt32(length + boxes.count)))
      start += header
    }
    bytes.insert(contentsOf: boxes, at: end)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private static func size(_ bytes: [UInt8], at offset: Int) -> Int {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Bytes.big(UInt32(8 + content.count)) + Array(name.utf8) + content
  }

  /// A box that begins with a version and flags (ISO/IEC 14496-12, 4.2).
  private static func fullBox(_ name: String, _ content: [UInt8]) -> [UInt8] {
    box(name, Bytes.zeros(4) + content)
  }

  /// Dolby Vision's configuration, which no free encoder writes.
  ///
  /// - SeeAlso: "Dolby Vision Streams Within the ISO Base Media File Format", 3.1 and 3.2.
  public static func dolbyVision(profile: Int, compatibility: Int) -> [UInt8] {
    var record = Bytes.zeros(24)
    record[0] = 1
    // Profile (7 bits), level 4 (6), then: RPU present, no enhancement layer, base layer present.
    record[2] = UInt8(profile) << 1
    record[3] = 4 << 3 | 0b101
    record[4] = UInt8(compatibility) << 4
    return box(profile > 7 ? "dvvC" : "dvcC", record)
  }

  /// An iPhone's description of a spatial video: the second layer, each eye's view, the field of
  /// view.
  public static let spatial =
    // FFmpeg 7 reads it, and wants an array of parameters there: this one holds an empty message.
    box("lhvC", [1, 0xF0, 0, 0xFC, 0xCB, 1, 0xA7, 0, 1, 0, 3, 0x4E, 0x09, 0x80])
    + box("vexu", box("eyes", fullBox("stri", [0b11]))) + box("hfov", Bytes.big(UInt32(63_400)))

  /// A camera's description of a 360° video for two eyes.
  ///
  /// - SeeAlso: Google's "Spherical Video V2".
  public static let spherical =
    fullBox("st3d", [1])
    + box(
      "sv3d",
      fullBox("svhd", [0])
        + box("proj", fullBox("prhd", Bytes.zeros(12)) + fullBox("equi", Bytes.zeros(16))))
}
