internal import CFFmpeg

/// Gives each picture of a stretch its own time on the output's clock: after the one before,
/// whatever the source says.
final class PictureClock {
  /// How many pictures have been given a time.
  private(set) var pictures = 0
  /// Whether the stretch is over: no later picture belongs to it.
  private(set) var isOver = false
  private let stretch: StreamStretch
  private var hasBegun = false
  private var last: Int64?
  private var lastDuration: Int64 = 1
  /// Whether the stream does not say when its pictures are presented; decided by the first packet.
  private var isUntimed: Bool?
  /// The times of such a stream's packets as they are stored; see ``presentation(of:)``.
  private var storedTimes: [Int64] = []
  private var nextStored = 0

  init(_ stretch: StreamStretch) { self.stretch = stretch }

  /// When the last picture's time is over, in ticks.
  var end: Int64 { (last ?? 0) + stretch.duration(lastDuration, at: (last ?? 0) + stretch.zero) }

  /// Whether a packet must be decoded: not one before the keyframe that the stretch needs.
  func needs(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    if !hasBegun, let time = packet.presentation ?? packet.decoding, packet.isKeyframe,
      time >= stretch.decodingFrom ?? time
    {
      hasBegun = true
    }
    return hasBegun || stretch.decodingFrom == nil
  }

  /// Looks at a packet before it is decoded.
  func note(_ packet: UnsafeMutablePointer<AVPacket>) {
    let isUntimed = self.isUntimed ?? (packet.presentation == nil)
    self.isUntimed = isUntimed
    if isUntimed, let time = packet.decoding { storedTimes.append(time) }
  }

  /// The last packet gives no picture: it is damaged.
  func lose() {
    if nextStored < storedTimes.count { storedTimes.removeLast() }
  }

  /// Gives a picture its time.
  ///
  /// - Returns: Whether it belongs to the stretch.
  func takes(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    let shown = presentation(of: frame)
    if let shown, let until = stretch.until, shown >= until { isOver = true }
    if let shown, let from = stretch.from, shown < from { return false }
    guard !isOver else { return false }
    pictures += 1
    // Clamped: pictures without a time and with an absurd duration must not count to overflow.
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

  /// AVI counts pictures only as they are stored, and FFmpeg takes one for shown when it leaves the
  /// decoder, some reordered pictures late, or when it is stored, if nothing was reordered. The
  /// first that is shown has the time of the first that is stored, and so on.
  private func presentation(of frame: UnsafeMutablePointer<AVFrame>) -> Int64? {
    guard nextStored < storedTimes.count else { return frame.presentation }
    defer { nextStored += 1 }
    return storedTimes[nextStored]
  }
}
