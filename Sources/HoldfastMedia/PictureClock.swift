internal import CFFmpeg

/// Gives each picture of a stretch its own time on the output's clock: after the one before,
/// whatever the source says.
final class PictureClock {
  /// How long a decoder may hold pictures back, in seconds.
  private static let mostDelay = 0.5

  /// How many pictures have been given a time.
  private(set) var pictures = 0
  /// Whether the stretch is over: no later picture belongs to it.
  private(set) var isOver = false
  private let stretch: StreamStretch
  private let timeBase: AVRational
  private var last: Int64?
  private var lastDuration: Int64 = 1
  /// When the first packet is decoded, of a stream that does not say when it is presented.
  private var firstDecoding: Int64?
  /// How far such a stream's decoder is behind, in ticks.
  private var delay: Int64?

  init(_ stretch: StreamStretch, timeBase: AVRational) {
    self.stretch = stretch
    self.timeBase = timeBase
  }

  /// When the last picture's time is over, in ticks.
  var end: Int64 { (last ?? 0) + stretch.duration(lastDuration, at: (last ?? 0) + stretch.zero) }

  /// Looks at a packet before it is decoded.
  func note(_ packet: UnsafeMutablePointer<AVPacket>) {
    if firstDecoding == nil, packet.presentation == nil { firstDecoding = packet.decoding }
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

  /// AVI counts pictures only as they are decoded, and FFmpeg then takes a picture for shown when it
  /// leaves the decoder, which is some reordered pictures late. The first is shown at once.
  private func presentation(of frame: UnsafeMutablePointer<AVFrame>) -> Int64? {
    guard let shown = frame.presentation, Int64(ticks: frame.pointee.pts) == nil,
      let firstDecoding
    else { return frame.presentation }
    let most = Int64(Self.mostDelay / max(timeBase.seconds, 1e-9))
    let delay =
      self.delay ?? ((0...most).contains(shown - firstDecoding) ? shown - firstDecoding : 0)
    self.delay = delay
    return shown - delay
  }
}
