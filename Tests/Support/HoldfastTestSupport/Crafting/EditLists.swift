import Foundation

/// Puts edit lists into an MP4 whose `moov` comes last. ffmpeg can write none that repeats a part
/// or plays the parts in another order.
public enum EditLists {
  /// A part of a track: its length, and where it is in the media, in seconds.
  public typealias Edit = (duration: Double, from: Double)

  /// Copies a file, with new edit lists for all of its tracks.
  public static func replace(in source: String, with edits: [Edit], as path: String) throws {
    let bytes = Array(try Data(contentsOf: URL(filePath: source)))
    guard let moov = boxes(bytes[...]).last, moov.type == "moov" else { throw POSIXError(.EINVAL) }
    let parts = boxes(moov.content)
    guard let mvhd = parts.first(where: { $0.type == "mvhd" }) else { throw POSIXError(.EINVAL) }
    let content = try parts.flatMap { part in
      part.type == "trak"
        ? try track(part, edits, timescale: timescale(mvhd)) : box(part.type, part.content)
    }
    try Data(bytes[..<moov.start] + box("moov", content)).write(to: URL(filePath: path))
  }

  private struct Box {
    var type: String
    var start: Int
    var content: ArraySlice<UInt8>
  }

  private static func track(_ trak: Box, _ edits: [Edit], timescale: UInt32) throws -> [UInt8] {
    let parts = boxes(trak.content)
    guard let media = parts.first(where: { $0.type == "mdia" }),
      let mdhd = boxes(media.content).first(where: { $0.type == "mdhd" })
    else { throw POSIXError(.EINVAL) }
    let own = Double(self.timescale(mdhd))
    let list = edits.flatMap { edit in
      Bytes.big(UInt32(edit.duration * Double(timescale))) + Bytes.big(UInt32(edit.from * own))
        + Bytes.big(UInt32(1 << 16))
    }
    let elst = box("elst", Bytes.big(UInt32(0)) + Bytes.big(UInt32(edits.count)) + list)
    return box(
      "trak",
      parts.flatMap { box($0.type, $0.type == "edts" ? elst[...] : $0.content) })
  }

  private static func timescale(_ header: Box) -> UInt32 {
    let place = header.content.startIndex + 12
    return header.content[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func boxes(_ bytes: ArraySlice<UInt8>) -> [Box] {
    var boxes: [Box] = []
    var place = bytes.startIndex
    while place + 8 <= bytes.endIndex {
      let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      boxes.append(
        Box(
          type: String(decoding: bytes[place + 4..<place + 8], as: UTF8.self), start: place,
          content: bytes[place + 8..<place + size]))
      place += size
    }
    return boxes
  }

  private static func box(_ type: String, _ content: some Collection<UInt8>) -> [UInt8] {
    Bytes.big(UInt32(content.count + 8)) + Array(type.utf8) + Array(content)
  }
}
