import CFFmpeg

/// A clock that lets each packet of ADTS last as long as its own header says.
///
/// FFmpeg assumes the first packet's sample rate for all packets. Once a microphone has changed its
/// rate, the packets that follow would last too long or too short, and all later times would be
/// false. A transport stream names times of its own now and then, and these count.
final class ADTSClock {
  /// The difference from FFmpeg's calculation within which a time counts as calculated, in seconds.
  /// At the two rates that are closest, frames differ by twice as much.
  private static let tolerance = 0.001

  private struct Stream {
    /// The time at which FFmpeg expects the next packet, in ticks.
    var expected: Int64?
    /// The correction of the times that FFmpeg works out, in ticks.
    var correction = 0.0
  }

  private var streams: [Int32: Stream] = [:]

  /// Forgets what was read, because reading continues elsewhere.
  func restart() { streams = [:] }

  /// Corrects a packet's time and duration, and marks a packet that is cut short: FFmpeg's parser
  /// does not say that the file ends within it.
  func move(_ packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational) {
    guard let header = ADTSHeader(packet) else { return }
    if packet.pointee.size < header.length { packet.pointee.flags |= AV_PKT_FLAG_CORRUPT }
    guard let time = packet.presentation else { return }
    var stream = streams[packet.pointee.stream_index] ?? Stream()
    let tolerance = Self.tolerance / timeBase.seconds
    if let expected = stream.expected, Double(abs(time - expected)) > tolerance {
      stream.correction = 0
    }
    let correction = Int64(stream.correction.rounded())
    let said = packet.duration
    let duration = header.duration / timeBase.seconds
    stream.expected = time + said
    if abs(duration - Double(said)) > 1 {
      // Bounded, because a file may name any duration.
      stream.correction = min(max(stream.correction + duration - Double(said), -0x1p50), 0x1p50)
      packet.pointee.duration = Int64(duration.rounded())
    }
    streams[packet.pointee.stream_index] = stream
    guard correction != 0 else { return }
    packet.pointee.pts = time + correction
    if let decoding = packet.decoding { packet.pointee.dts = decoding + correction }
  }
}
