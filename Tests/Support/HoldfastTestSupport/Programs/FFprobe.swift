import Foundation

/// A file's description by ffprobe, which shares no code with Holdfast.
public enum FFprobe {
  /// The file's streams, with their packets counted.
  public static func streams(_ path: String) async throws -> [Stream] {
    try await probe(path, ["-show_streams", "-count_packets"]).streams ?? []
  }

  /// The file's packets, in the order in which they are stored.
  public static func packets(_ path: String) async throws -> [Packet] {
    try await probe(path, ["-show_packets"]).packets ?? []
  }

  /// The container's own description; `nil` if ffprobe gives none.
  public static func format(_ path: String) async throws -> Format? {
    try await probe(path, ["-show_format"]).format
  }

  /// How long picture and sound are presented, in seconds: the end of the last packet minus the
  /// start of the first, after edit lists, without the samples that a player drops.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - indices: The streams that count; every moving picture and every sound if `nil`.
  /// - Returns: 0 for a file without packets.
  public static func presentedDuration(
    _ path: String, streams indices: Set<Int>? = nil
  ) async throws -> Double {
    let answer = try await probe(path, ["-show_streams", "-show_packets"])
    let spans = (answer.streams ?? []).filter { stream in
      indices?.contains(stream.index)
        ?? (["video", "audio"].contains(stream.codecType) && !stream.isAttachedPicture)
    }.compactMap { stream in
      presentedSpan((answer.packets ?? []).filter { $0.streamIndex == stream.index }, of: stream)
    }
    guard let start = spans.map(\.lowerBound).min(), let end = spans.map(\.upperBound).max()
    else { return 0 }
    return end - start
  }

  private static func presentedSpan(
    _ packets: [Packet], of stream: Stream
  ) -> ClosedRange<Double>? {
    let nominal = packets.compactMap(\.duration).max() ?? 0
    let sampleRate = Double(stream.sampleRate ?? 48_000)
    var span: ClosedRange<Double>?
    var audibleFrom = -Double.infinity
    for packet in packets {
      guard let time = packet.presentationTime ?? packet.decodeTime else { continue }
      // Priming may be longer than one packet; then the first packet is not presented at all.
      if packet.skippedSamples > 0 { audibleFrom = time + packet.skippedSamples / sampleRate }
      if packet.flags.contains("D") { continue }
      // Some demuxers shorten the last packet by its padding, others leave that to the decoder.
      let unpadded = nominal - packet.paddingSamples / sampleRate
      let length = packet.duration ?? nominal
      let end = time + (packet.paddingSamples > 0 ? min(length, unpadded) : length)
      let start = max(time, audibleFrom)
      guard start <= end else { continue }
      span = min(span?.lowerBound ?? start, start)...max(span?.upperBound ?? end, end)
    }
    return span
  }

  private struct Answer: Decodable {
    var streams: [Stream]?
    var packets: [Packet]?
    var format: Format?
  }

  private static func probe(_ path: String, _ sections: [String]) async throws -> Answer {
    let result = try await Command.output(
      of: "ffprobe", ["-v", "error", "-of", "json"] + sections + ["-i", "file:" + path])
    return try JSONDecoder().decode(Answer.self, from: Data(result.outputBytes))
  }
}
