internal import CFFmpeg
internal import HoldfastModel

/// Decodes a stream's pictures, turns them upright and encodes them as H.264.
final class PictureEncode: StreamConversion {
  private static let options = [("preset", "medium"), ("crf", "20"), ("profile", "high")]

  private let muxer: Muxer
  private let input: UnsafeMutablePointer<AVStream>
  private let size: PictureSize
  private let decoder: FilteredDecoder
  private let encoder: Encoder
  private let clock: PictureClock
  private let timeBase: AVRational

  init(
    _ input: UnsafeMutablePointer<AVStream>, picture: PictureFormat, _ plan: ConversionPlan,
    to muxer: Muxer
  ) throws(MediaError) {
    self.input = input
    let size = PictureFilters.encodedSize(of: picture, maxHeight: plan.maxHeight)
    self.size = size
    self.muxer = muxer
    timeBase = input.timeBase
    let clock = PictureClock(StreamStretch(plan, timeBase: input.timeBase))
    self.clock = clock
    decoder = try FilteredDecoder(input, threads: 0) { frame in
      clock.takes(frame)
    } makeFilters: { frame, shape throws(MediaError) in
      try FilterGraph(
        PictureFilters.encoding(picture, size: size, frame: shape), for: frame,
        timeBase: input.timeBase)
    }
    encoder = try Encoder("libx264", muxer: muxer, options: Self.options) { context in
      context.width = CInt(size.width)
      context.height = CInt(size.height)
      context.pix_fmt = AV_PIX_FMT_YUV420P
      context.sample_aspect_ratio = AVRational(num: 1, den: 1)
      // The source's own clock: every picture keeps its own time.
      context.time_base = input.timeBase
      context.framerate = Self.rate(of: input, measured: plan.video?.pictureRate)
      context.color_range = AVCOL_RANGE_MPEG
      context.colorspace = AVCOL_SPC_BT709
      context.color_primaries = AVCOL_PRI_BT709
      context.color_trc = AVCOL_TRC_BT709
    }
  }

  /// Pictures a second, from which libx264 derives its level and its rate control: the header's
  /// average, else what was measured. Of a rate that is not known it would take the clock's, such
  /// as 90,000.
  private static func rate(
    of stream: UnsafeMutablePointer<AVStream>, measured: Double?
  ) -> AVRational {
    let likely = 1.0...240
    let average = stream.pointee.avg_frame_rate
    if average.num > 0, average.den > 0, likely.contains(average.seconds) { return average }
    guard let measured, measured.isFinite else { return AVRational(num: 30, den: 1) }
    return av_d2q(min(max(measured, likely.lowerBound), likely.upperBound), 1001)
  }

  var isDone: Bool { clock.isOver }

  func add(_ packet: UnsafeMutablePointer<AVPacket>) throws(MediaError) {
    try decoder.decode(packet, encode)
  }

  func finish() throws(MediaError) {
    try decoder.finish(encode)
    try encoder.encode(nil, to: muxer)
    guard encoder.packets > 0 else {
      throw MediaError(.damaged, "none of its pictures can be decoded")
    }
  }

  func describe(in report: inout ConversionReport) {
    report.pictures = clock.pictures
    report.encodedPicturesEnd = Double(clock.end) * timeBase.seconds
    report.encodedSize = size
    report.settings.append(
      "libx264 " + Self.options.map { "\($0.0)=\($0.1)" }.joined(separator: " "))
    report.noteDamage(packets: decoder.damagedPackets, frames: decoder.damagedFrames, of: "picture")
    if let vision = DolbyVision(of: input), !vision.hasCompatibleBase {
      report.warnings.append(
        "its Dolby Vision can only be shown by players that know it; its colours may be wrong now")
    }
  }

  private func encode(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) {
    // The decoder's picture type would force the encoder's.
    frame.pointee.pict_type = AV_PICTURE_TYPE_NONE
    try encoder.encode(frame, to: muxer)
  }
}

/// Gives each picture of a stretch its own time on the output's clock: after the one before,
/// whatever the source says.
private final class PictureClock {
  /// How many pictures have been given a time.
  private(set) var pictures = 0
  /// Whether the stretch is over: no later picture belongs to it.
  private(set) var isOver = false
  private let stretch: StreamStretch
  private var last: Int64?
  private var lastDuration: Int64 = 1

  init(_ stretch: StreamStretch) { self.stretch = stretch }

  /// When the last picture's time is over, in ticks.
  var end: Int64 { (last ?? 0) + stretch.duration(lastDuration, at: (last ?? 0) + stretch.zero) }

  /// Gives a picture its time.
  ///
  /// - Returns: Whether it belongs to the stretch.
  func takes(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    let shown = frame.presentation
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
}
