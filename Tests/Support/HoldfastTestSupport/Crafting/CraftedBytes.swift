/// Numbers as containers write them.
public enum Bytes {
  /// The most significant byte first.
  public static func big(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// The least significant byte first.
  public static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  /// Zeros.
  public static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  /// The same over and over.
  public static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    many(count) { _ in bytes }
  }

  /// Pieces one after the other.
  public static func many(_ count: Int, _ piece: (Int) -> [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count * max(piece(0).count, 1))
    for index in 0..<count { result += piece(index) }
    return result
  }
}

/// QuickTime files that no muxer would write.
///
/// - SeeAlso: ISO/IEC 14496-12.
public enum QuickTime {
  /// A box.
  public static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
    let size = content.reduce(8) { $0 + $1.count }
    return content.reduce(Bytes.big(UInt32(size)) + Array(type.utf8)) { $0 + $1 }
  }

  /// A box with a version and flags.
  public static func fullBox(
    _ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ content: [UInt8]
  ) -> [UInt8] {
    box(type, Bytes.big(UInt32(version) << 24 | flags), content)
  }

  private static let start = box("ftyp", Array("qt  ".utf8), [0, 0, 2, 0], Array("qt  ".utf8))

  /// Where the media of ``file(_:media:)`` begin.
  public static let mediaOffset = UInt32(start.count + 8)

  /// A file of media and their headers.
  public static func file(
    _ movie: [UInt8]..., media: [UInt8] = [UInt8](repeating: 0xD5, count: 65536)
  ) -> [UInt8] {
    start + box("mdat", media) + box("moov", movie.reduce([], +))
  }

  private static let matrix: [UInt8] = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap {
    Bytes.big($0 as UInt32)
  }

  /// Two moments, a time scale or an identifier, and a duration, which has eight bytes if needed.
  private static func times(_ middle: [UInt8], _ duration: UInt64) -> (UInt8, [UInt8]) {
    duration > UInt32.max
      ? (1, Bytes.zeros(16) + middle + Bytes.big(duration))
      : (0, Bytes.zeros(8) + middle + Bytes.big(UInt32(duration)))
  }

  /// The movie's header.
  public static func movieHeader(duration: UInt64 = 1000) -> [UInt8] {
    let (version, times) = times(Bytes.big(1000 as UInt32), duration)
    let rest = [0, 1, 0, 0, 1, 0] + Bytes.zeros(10) + matrix + Bytes.zeros(24) + [0, 0, 0, 2]
    return fullBox("mvhd", version: version, times + rest)
  }

  /// A track.
  public struct Track {
    /// Its kind: `soun`, `vide` or `text`.
    public var kind = "soun"
    /// The identifier.
    public var id: UInt32 = 1
    /// Ticks a second.
    public var timeScale: UInt32 = 8000
    /// Its length by its headers, in ticks.
    public var duration: UInt64 = 65536
    /// The sample description.
    public var description = QuickTime.sound("alaw")
    /// A second sample description, which counts from the second chunk on.
    public var secondDescription: [UInt8]?
    /// How many samples there are, and how many bytes each has.
    public var samples: (count: UInt32, size: UInt32) = (65536, 1)
    /// Where chunks begin, and how many samples each has.
    public var chunks: (offsets: [UInt32], samples: UInt32) = ([QuickTime.mediaOffset], 65536)
    /// Ticks that one sample lasts.
    public var ticks: UInt32 = 1
    /// Boxes beside its header.
    public var more: [UInt8] = []

    /// A second of A-law sound, eight times over.
    public init() {}

    /// The track's bytes.
    public var bytes: [UInt8] {
      let chunk = chunks.offsets.flatMap { Bytes.big($0) }
      let second = secondDescription ?? []
      let runs: UInt8 = second.isEmpty ? 1 : 2
      let run = second.isEmpty ? [] : [0, 0, 0, 2] + Bytes.big(chunks.samples) + [0, 0, 0, 2]
      let table = QuickTime.box(
        "stbl", QuickTime.fullBox("stsd", [0, 0, 0, runs] + description + second),
        QuickTime.fullBox("stts", [0, 0, 0, 1] + Bytes.big(samples.count) + Bytes.big(ticks)),
        QuickTime.fullBox(
          "stsc",
          [0, 0, 0, runs, 0, 0, 0, 1] + Bytes.big(chunks.samples) + [0, 0, 0, 1] + run),
        QuickTime.fullBox("stsz", Bytes.big(samples.size) + Bytes.big(samples.count)),
        QuickTime.fullBox("stco", Bytes.big(UInt32(chunks.offsets.count)) + chunk))
      let header = ["soun": "smhd", "vide": "vmhd"][kind] ?? "nmhd"
      let reference = QuickTime.fullBox(
        "dref", [0, 0, 0, 1] + QuickTime.fullBox("url ", flags: 1, []))
      let information = QuickTime.box(
        "minf", QuickTime.fullBox(header, Bytes.zeros(kind == "vide" ? 8 : 4)),
        QuickTime.box("dinf", reference), table)
      let (version, times) = QuickTime.times(Bytes.big(id) + Bytes.zeros(4), duration)
      let (mediaVersion, mediaTimes) = QuickTime.times(Bytes.big(timeScale), duration)
      return QuickTime.box(
        "trak",
        QuickTime.fullBox(
          "tkhd", version: version, flags: 7,
          times + Bytes.zeros(16) + QuickTime.matrix + Bytes.zeros(8)), more,
        QuickTime.box(
          "mdia",
          QuickTime.fullBox("mdhd", version: mediaVersion, mediaTimes + [0x55, 0xC4, 0, 0]),
          QuickTime.fullBox("hdlr", Bytes.zeros(4) + Array(kind.utf8) + Bytes.zeros(13)),
          information))
    }
  }

  /// The description of a sound.
  public static func sound(_ codec: String, channels: UInt8 = 1, rate: UInt32 = 8000) -> [UInt8] {
    box(
      codec, [0, 0, 0, 0, 0, 0, 0, 1], Bytes.zeros(8), [0, channels, 0, 16, 0, 0, 0, 0],
      Bytes.big(rate << 16))
  }

  /// The description of a picture.
  public static func picture(_ codec: String, width: UInt16, height: UInt16) -> [UInt8] {
    box(
      codec, [0, 0, 0, 0, 0, 0, 0, 1], Bytes.zeros(16), Bytes.big(width), Bytes.big(height),
      [0, 0x48, 0, 0, 0, 0x48, 0, 0, 0, 0, 0, 0, 0, 1], Bytes.zeros(32), [0, 24, 0xFF, 0xFF])
  }
}

/// Matroska files that no muxer would write.
///
/// - SeeAlso: RFC 8794, RFC 9559.
public enum Matroska {
  /// An element: its identifier, its length in eight bytes, its content.
  public static func element(_ identifier: UInt32, _ content: [UInt8]...) -> [UInt8] {
    let length = content.reduce(0) { $0 + $1.count }
    let start = header(identifier, length: UInt64(length))
    return content.reduce(start) { $0 + $1 }
  }

  /// The beginning of an element that claims this length.
  public static func header(_ identifier: UInt32, length: UInt64) -> [UInt8] {
    Array(Bytes.big(identifier).drop { $0 == 0 }) + Bytes.big(length | 1 << 56)
  }

  /// An element that is a number.
  public static func number(_ identifier: UInt32, _ value: some FixedWidthInteger) -> [UInt8] {
    element(identifier, Bytes.big(value))
  }

  /// An element that is a fraction.
  public static func fraction(_ identifier: UInt32, _ value: Double) -> [UInt8] {
    element(identifier, Bytes.big(value.bitPattern))
  }

  /// A whole file of the segment's elements.
  public static func file(_ segment: [UInt8]...) -> [UInt8] {
    element(0x1A45_DFA3, element(0x4282, Array("matroska".utf8)))
      + element(0x1853_8067, segment.reduce([], +))
  }

  /// The segment's header: a millisecond a tick.
  public static func information(_ more: [UInt8] = []) -> [UInt8] {
    element(0x1549_A966, number(0x2AD7B1, 1_000_000 as UInt32), more)
  }

  /// The tracks.
  public static func tracks(_ tracks: [UInt8]...) -> [UInt8] {
    element(0x1654_AE6B, tracks.reduce([], +))
  }

  /// A track of sound: by default 16-bit samples, 8000 a second.
  public static func sound(_ codec: String = "A_PCM/INT/LIT", _ more: [UInt8] = []) -> [UInt8] {
    element(
      0xAE, number(0xD7, 1 as UInt8), number(0x73C5, 1 as UInt8), number(0x83, 2 as UInt8),
      element(0x86, Array(codec.utf8)),
      element(0xE1, fraction(0xB5, 8000), number(0x9F, 1 as UInt8), number(0x6264, 16 as UInt8)),
      more)
  }

  /// A track of pictures.
  public static func picture(_ codec: String, width: UInt32, height: UInt32) -> [UInt8] {
    element(
      0xAE, number(0xD7, 1 as UInt8), number(0x73C5, 1 as UInt8), number(0x83, 1 as UInt8),
      element(0x86, Array(codec.utf8)), element(0xE0, number(0xB0, width), number(0xBA, height)))
  }

  /// A block of the first track, which may stand alone.
  ///
  /// - Parameter flags: 0x80 for a keyframe, 4 for frames of one size.
  public static func block(at time: Int16, _ content: [UInt8], flags: UInt8 = 0x80) -> [UInt8] {
    element(0xA3, [0x81], Bytes.big(time), [flags], content)
  }

  /// Blocks, and the time from which theirs count.
  public static func cluster(at time: UInt32 = 0, _ blocks: [UInt8]) -> [UInt8] {
    element(0x1F43_B675, number(0xE7, time), blocks)
  }

  /// Two seconds of sound for the first track.
  public static let twoSeconds = cluster(
    Bytes.many(20) { block(at: Int16($0 * 100), [UInt8](repeating: 1, count: 1600)) })
}
