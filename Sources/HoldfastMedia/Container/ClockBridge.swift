internal import CFFmpeg

/// Makes one clock of those of a transport stream: where a recording was stopped and went on, or two
/// were joined, the clock begins anew in the middle, and what follows would lie over what was before.
final class ClockBridge {
  /// How far a decode time falls back, in seconds, before it is another clock's.
  private static let leastFall = 0.1

  private struct Stream {
    /// How many clocks it has had before this one.
    var clock = 0
    var latest: Int64?
    var end: Int64 = 0
  }

  private var streams: [Int32: Stream] = [:]
  /// What is added to the times of each clock, in ticks; all streams of a transport stream count the
  /// same. The stream that is the first to begin a clock says where it lies; the others follow.
  private var offsets: [Int64] = [0]

  /// Forgets what was read: reading goes on elsewhere.
  func restart() {
    streams = [:]
    offsets = [0]
  }

  /// Moves a packet to the first clock.
  func move(_ packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational) {
    guard let time = packet.decoding ?? packet.presentation else { return }
    var stream = streams[packet.pointee.stream_index] ?? Stream()
    let fall = Int64(Self.leastFall / timeBase.seconds)
    if let latest = stream.latest, time < latest - fall {
      stream.clock += 1
      // Kept within bounds, whatever a file says.
      if stream.clock == offsets.count { offsets.append(min(max(stream.end - time, 0), 1 << 50)) }
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
