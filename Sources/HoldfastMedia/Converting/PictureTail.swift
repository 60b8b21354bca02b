import CFFmpeg
import HoldfastModel

/// Makes the pictures of an output end when the source's do, in every place where an MP4 says so.
///
/// FFmpeg's muxer shows a track until its last packet ends, hidden packets included. It derives the
/// track's own length from the packet that is decoded last. The picture that is shown last is often
/// another one, and may be shown for long.
final class PictureTail {
  let stream: CInt
  /// The end of the pictures, in ticks of the output's stream.
  private(set) var end: Int64
  /// The end of the pictures as the muxer calculates it, in the same ticks.
  private(set) var muxedEnd: Int64 = .min
  private let timeBase: AVRational
  private var firstDecoding: Int64?
  private var firstShown: Int64?
  private let held: Packet

  /// The muxer has chosen the stream's clock. The end is in seconds on the output's clock.
  init(_ stream: UnsafeMutablePointer<AVStream>, end: Double) throws(HoldfastError) {
    self.stream = stream.pointee.index
    timeBase = stream.timeBase
    held = try Packet()
    self.end = Self.ticks(end, timeBase)
  }

  /// Ends the pictures earlier, because the last ones are damaged and no good picture replaces
  /// them.
  func shorten(to end: Double) { self.end = min(self.end, Self.ticks(end, timeBase)) }

  private static func ticks(_ seconds: Double, _ timeBase: AVRational) -> Int64 {
    let ticks = (seconds / timeBase.seconds).rounded()
    return ticks.isFinite ? Int64(max(0, min(ticks, 0x1p56))) : 0
  }

  /// Holds the next packet back, and returns the one before in its place. Returns `false` if there
  /// was none.
  func exchange(_ packet: UnsafeMutablePointer<AVPacket>) throws(HoldfastError) -> Bool {
    firstDecoding = firstDecoding ?? packet.decoding
    if !packet.isDiscarded, let time = packet.presentation {
      firstShown = min(firstShown ?? time, time)
      end = max(end, time + 1)
      packet.pointee.duration = max(1, min(packet.duration, end - time))
    }
    let isHolding = held.pointer.pointee.data != nil
    let next = try Packet()
    av_packet_move_ref(next.pointer, packet)
    av_packet_move_ref(packet, held.pointer)
    av_packet_move_ref(held.pointer, next.pointer)
    if isHolding { note(packet) }
    return isHolding
  }

  /// Returns the last packet, made to last as long as the whole track needs; `nil` if there was
  /// none.
  func last() -> UnsafeMutablePointer<AVPacket>? {
    let packet = held.pointer
    guard packet.pointee.data != nil else { return nil }
    if let firstDecoding, let firstShown, let decoding = packet.decoding {
      let needed = (end - firstShown) - (decoding - firstDecoding)
      packet.pointee.duration = max(packet.duration, needed)
    }
    note(packet)
    return packet
  }

  private func note(_ packet: UnsafeMutablePointer<AVPacket>) {
    guard let time = packet.presentation else { return }
    muxedEnd = max(muxedEnd, time + packet.duration)
  }
}
