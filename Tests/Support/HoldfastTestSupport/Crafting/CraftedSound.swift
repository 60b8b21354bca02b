import Foundation

/// MP3 files with tags that no real program writes.
///
/// - SeeAlso: https://id3.org/id3v2.3.0
public enum ID3 {
  /// A frame of a tag.
  public static func frame(_ name: String, _ content: [UInt8], flags: UInt8 = 0) -> [UInt8] {
    Array(name.utf8) + Bytes.big(UInt32(content.count)) + [0, flags] + content
  }

  /// A frame that is a picture.
  public static func picture(_ picture: [UInt8]) -> [UInt8] {
    frame("APIC", [0] + Array("image/png".utf8) + [0, 3, 0] + picture)
  }

  /// Two seconds of silence behind a tag of these frames.
  public static func file(_ frames: [UInt8]) -> [UInt8] {
    let size = [21, 14, 7, 0].map { UInt8(frames.count >> $0 & 127) }
    let silence: [UInt8] = [0xFF, 0xFB, 0x90, 0x64] + Bytes.zeros(413)
    return Array("ID3".utf8) + [3, 0, 0] + size + frames + Bytes.repeated(silence, 77)
  }
}

/// FLAC files of headers only.
///
/// - SeeAlso: RFC 9639.
public enum FLAC {
  /// A file with comments and without sound.
  public static func file(comments: [UInt8]) -> [UInt8] {
    // 44,100 samples a second, one channel, 16 bits.
    let stream: [UInt8] = [16, 0, 16, 0] + Bytes.zeros(6) + [0x0A, 0xC4, 0x40, 0xF0]
    return Array("fLaC".utf8) + [0, 0, 0, 34] + stream + Bytes.zeros(20) + [0x84]
      + Bytes.big(UInt32(min(comments.count, 0xFF_FFFF))).dropFirst() + comments
  }
}

/// AVI files that no camera writes.
public enum AVI {
  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + Bytes.little(UInt32(content.count)) + content
      + (content.count % 2 == 1 ? [0] : [])
  }

  private static func list(_ name: String, _ content: [UInt8]) -> [UInt8] {
    chunk("LIST", Array(name.utf8) + content)
  }

  private static func words(_ values: UInt32...) -> [UInt8] { values.flatMap { Bytes.little($0) } }

  private static func file(_ streams: [UInt8], count: Int) -> [UInt8] {
    let head = words(40_000, 0, 0, 0x10, 10, 0, UInt32(count), 0, 64, 64, 0, 0, 0, 0)
    let sound = chunk("00wb", [UInt8](repeating: 0x80, count: 800))
    let whole =
      Array("AVI ".utf8) + list("hdrl", chunk("avih", head) + streams)
      + list("movi", Bytes.repeated(sound, 20))
    return chunk("RIFF", whole)
  }

  /// A file with this many sounds.
  public static func file(streams: Int) -> [UInt8] {
    let header = Array("auds".utf8) + words(0, 0, 0, 0, 1, 8000, 0, 1000, 0, 0, 1, 0, 0)
    let format: [UInt8] = [1, 0, 1, 0] + words(8000, 8000) + [1, 0, 8, 0]
    let stream = list("strl", chunk("strh", header) + chunk("strf", format))
    return file(Bytes.repeated(stream, streams), count: streams)
  }

  /// A file that claims a picture of that size.
  public static func file(width: UInt32, height: UInt32) -> [UInt8] {
    let codec = Array("MJPG".utf8)
    let header = Array("vids".utf8) + codec + words(0, 0, 0, 1, 25, 0, 10, 0, 0, 0, 0, 0)
    let format = words(40, width, height) + [1, 0, 24, 0] + codec + words(0, 0, 0, 0, 0)
    return file(list("strl", chunk("strh", header) + chunk("strf", format)), count: 1)
  }
}

/// The beginning of a PNG file.
public enum PNG {
  /// A picture's header alone.
  public static func start(width: UInt32, height: UInt32) -> [UInt8] {
    [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + Bytes.big(width) + Bytes.big(height) + [8, 6, 0, 0, 0] + Bytes.zeros(4)
  }
}

/// Data that take a thousand times their size when they are unpacked.
///
/// - SeeAlso: RFC 1950.
public enum Zlib {
  /// This many zeros, packed, after other bytes.
  public static func zeros(_ count: Int, after start: [UInt8] = []) async throws -> [UInt8] {
    let result = try await withTemporaryFolder { folder in
      let file = folder + "/start"
      try Data(start).write(to: URL(filePath: file))
      return try await Command.output(
        of: "bash",
        ["-c", "{ cat \"$0\"; head -c \"$1\" /dev/zero; } | gzip -9n", file, "\(count)"])
    }
    // Ten bytes of gzip's before the packed data, eight behind them.
    let packed = result.outputBytes.dropFirst(10).dropLast(8)
    var (a, b) = (1, 0)
    for byte in start {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    b = (b + count % 65521 * a) % 65521
    return [0x78, 0xDA] + packed + Bytes.big(UInt32(b << 16 | a))
  }
}
