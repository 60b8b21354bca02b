import CFFmpeg

/// A clock that gives each picture of a stretch its own time in the output, always later than the
/// picture before, whatever the source says.
final class PictureClock {
  private(set) var pictures = 0
  private(set) var isOver = false
  private let stretch: StreamStretch
  private var hasBegun = false
  private var last: Int64?
  private var lastDuration: Int64 = 1
  /// When pictures are shown, if their packets do not say so.
  var stored = StoredTimes()

  init(_ stretch: StreamStretch) { self.stretch = stretch }

  /// When the last picture ends, in ticks.
  var end: Int64 { (last ?? 0) + stretch.duration(lastDuration, at: (last ?? 0) + stretch.zero) }

  /// Whether a packet must be decoded. Packets before the keyframe that the stretch needs are
  /// skipped.
  func needs(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    if !hasBegun, let time = packet.presentation ?? packet.decoding, packet.isKeyframe,
      time >= stretch.decodingFrom ?? time
    {
      hasBegun = true
    }
    return hasBegun || stretch.decodingFrom == nil
  }

  /// Gives a picture its time. Returns whether it belongs to the stretch.
  func accept(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    let shown = stored.presentation(of: frame)
    if let shown, let until = stretch.until, shown >= until { isOver = true }
    if let shown, let from = stretch.from, shown < from { return false }
    guard !isOver else { return false }
    pictures += 1
    // Clamped, because pictures without a time and with an absurd duration could overflow the
    // count.
    var time = shown.map { $0 - stretch.zero } ?? min((last ?? 0) + lastDuration, 1 << 60)
    if let last, time <= last { time = last + 1 }
    last = time
    frame.pointee.pts = time
    if frame.duration > 0 {
      lastDuration = frame.duration
      cff_set_frame_duration(frame, stretch.duration(frame.duration, at: time + stretch.zero))
    }
    return true
  }
}
