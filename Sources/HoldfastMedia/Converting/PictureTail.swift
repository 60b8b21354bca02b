internal import CFFmpeg
internal import HoldfastModel

/// Sees to it that the pictures of an output end when the source's do, in every place where an MP4 says so.
///
/// FFmpeg's muxer shows a track until the last of its packets is over, hidden ones included, and takes
/// the track's own length from the packet that is decoded last. The picture that is shown last is often
/// another, and may stand for long.
final class PictureTail {
  /// The stream in the output.
  let stream: CInt
  /// Until when pictures are shown, in ticks of the output's stream.
  private(set) var end: Int64
  /// Until when the muxer takes them to be shown.
  private(set) var muxedEnd: Int64 = .min
  private let timeBase: AVRational
  private var firstDecoding: Int64?
  private var firstShown: Int64?
  private let held: Packet

  /// - Parameters:
  ///   - stream: The output's stream, whose clock the muxer has chosen.
  ///   - end: Until when its pictures are shown, in seconds on the output's clock.
  init(_ stream: UnsafeMutablePointer<AVStream>, end: Double) throws(MediaError) {
    self.stream = stream.pointee.index
    timeBase = stream.timeBase
    held = try Packet()
    self.end = Self.ticks(end, timeBase)
  }

  /// Ends the pictures earlier: the last ones are damaged, and no good one stands for them.
  func shorten(to end: Double) { self.end = min(self.end, Self.ticks(end, timeBase)) }

  private static func ticks(_ seconds: Double, _ timeBase: AVRational) -> Int64 {
    let ticks = (seconds / timeBase.seconds).rounded()
    return ticks.isFinite ? Int64(max(0, min(ticks, 0x1p56))) : 0
  }

  /// Takes the next packet, and gives the one before in its place.
  ///
  /// - Returns: Whether there was one before.
  func exchange(_ packet: UnsafeMutablePointer<AVPacket>) throws(MediaError) -> Bool {
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

  /// The last packet, which lasts as long as the track as a whole needs; `nil` if there was none.
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
