import CFFmpeg

/// Joins the clocks of a transport stream, or of a chained Ogg (RFC 3533), into one. Where a
/// recording was stopped and continued, or two were joined, the clock starts again in the middle.
/// Later packets would then overlap earlier ones.
final class ClockBridge {
  /// The least fall of a decode time that means another clock, in seconds.
  private static let leastFall = 0.1

  private struct Stream {
    /// The number of clocks before this one.
    var clock = 0
    var latest: Int64?
    var end: Int64 = 0
  }

  private var streams: [Int32: Stream] = [:]
  /// The ticks that are added to the times of each clock. All streams of a transport stream count
  /// the same ticks. The first stream that reaches a new clock sets its offset, so that it begins
  /// after everything before it; the others follow.
  private var offsets: [Int64] = [0]

  /// Whether the clock started again so far.
  var hasBridged: Bool { offsets.count > 1 }

  /// Forgets what was read, because reading continues elsewhere.
  func restart() {
    streams = [:]
    offsets = [0]
  }

  /// Moves a packet's times to the first clock.
  func move(_ packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational) {
    guard let time = packet.decoding ?? packet.presentation else { return }
    var stream = streams[packet.pointee.stream_index] ?? Stream()
    let fall = Int64(Self.leastFall / timeBase.seconds)
    if let latest = stream.latest, time < latest - fall {
      stream.clock += 1
      // Bounded, because a file may name any time.
      if stream.clock == offsets.count {
        let end = streams.values.reduce(stream.end) { max($0, $1.end) }
        offsets.append(min(max(end - time, 0), 1 << 50))
      }
    }
    let offset = offsets[stream.clock]
    stream.latest = time
    stream.end = max(stream.end, time + offset + packet.duration)
    streams[packet.pointee.stream_index] = stream
    guard offset != 0 else { return }
    if let presentation = packet.presentation { packet.pointee.pts = presentation + offset }
    if let decoding = packet.decoding { packet.pointee.dts = decoding + offset }
  }
}

extension Demuxer {
  /// Whether a later link of a chained Ogg was read so far.
  var isChained: Bool { container == "ogg" && bridge?.hasBridged == true }
}
