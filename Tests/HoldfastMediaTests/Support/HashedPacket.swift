import Foundation
import HoldfastTestSupport

/// One packet from ffprobe, with a hash of its bytes.
struct HashedPacket: Decodable {
  var pts: Double?
  var dts: Double?
  var flags: String
  var hash: String

  private enum CodingKeys: String, CodingKey {
    case flags
    case pts = "pts_time"
    case dts = "dts_time"
    case hash = "data_hash"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    pts = try values.decodeIfPresent(String.self, forKey: .pts).flatMap(Double.init)
    dts = try values.decodeIfPresent(String.self, forKey: .dts).flatMap(Double.init)
    flags = try values.decode(String.self, forKey: .flags)
    hash = try values.decode(String.self, forKey: .hash)
  }

  /// Whether the packet is presented, and not only decoded for others.
  var isShown: Bool { !flags.contains("D") }

  /// The packets of one stream in stored order.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - index: The stream.
  static func all(_ path: String, stream index: Int) async throws -> [HashedPacket] {
    struct Answer: Decodable { var packets: [HashedPacket]? }
    let result = try await Command.output(
      of: "ffprobe",
      [
        "-v", "error", "-of", "json", "-select_streams", "\(index)", "-show_data_hash", "md5",
        "-show_entries", "packet=pts_time,dts_time,flags,data_hash", "-i", "file:" + path,
      ])
    return try JSONDecoder().decode(Answer.self, from: Data(result.outputBytes)).packets ?? []
  }

  /// The packets of an AAC stream in ADTS, rewritten by ffmpeg into the form that `.m4a` has.
  static func withoutADTS(_ path: String, stream index: Int) async throws -> [HashedPacket] {
    let raw = try await make(
      "raw.m4a", ["-i", "file:" + path, "-map", "0:\(index)", "-c", "copy"])
    return try await all(raw, stream: 0)
  }
}

/// When a stream's first picture or sound is presented, in seconds, by ffprobe.
func presentedStart(_ path: String, stream index: Int) async throws -> Double? {
  let packets = try await FFprobe.packets(path).filter { $0.streamIndex == index }
  let rate = try await FFprobe.streams(path).first { $0.index == index }?.sampleRate ?? 48_000
  // Priming may be longer than one packet: a player drops it all.
  let audible = packets.compactMap { packet in
    packet.skippedSamples > 0
      ? packet.presentationTime.map { $0 + packet.skippedSamples / Double(rate) } : nil
  }.max()
  let shown = packets.filter { !$0.flags.contains("D") }
  guard let first = shown.compactMap(\.presentationTime).min() else { return nil }
  return max(first, audible ?? first)
}
