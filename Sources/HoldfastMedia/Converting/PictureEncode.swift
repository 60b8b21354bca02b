import CFFmpeg
import HoldfastModel

/// Decodes a stream's pictures, turns them upright and encodes them as H.264 or HEVC.
final class PictureEncode: StreamConversion {
  private let muxer: Muxer
  private let input: UnsafeMutablePointer<AVStream>
  private let size: PictureSize
  private let decoder: FilteredDecoder
  private let encoder: Encoder
  private let clock: PictureClock
  private let decoded = DecodedFormat()
  private let target: PictureTarget
  /// When the last keyframe that was asked for is shown.
  private var lastKeyframe: Int64?
  /// The most seconds from one keyframe to the next. The encoders count pictures instead, and a
  /// slow clip would get one keyframe in a minute.
  private static let mostSeconds = 2.0
  /// From this size on, in pixels, one thread decodes.
  private static let hugePixels = 16_000_000

  init(
    _ input: UnsafeMutablePointer<AVStream>, picture: PictureFormat, _ plan: ConversionPlan,
    to muxer: Muxer
  ) throws(HoldfastError) {
    self.input = input
    let size = PictureFilters.encodedSize(of: picture, maxHeight: plan.maxHeight)
    self.size = size
    let target = PictureTarget(plan.video, of: input, size: size)
    self.target = target
    self.muxer = muxer
    let clock = PictureClock(StreamStretch(plan, timeBase: input.timeBase))
    self.clock = clock
    let decoded = decoded
    // Each thread has pictures of its own, of 50 MB at 8K.
    let pixels = Int(input.parameters.pointee.width) * Int(input.parameters.pointee.height)
    decoder = try FilteredDecoder(input, threads: pixels > Self.hugePixels ? 1 : 0) { frame in
      clock.accept(frame)
    } makeFilters: { frame, shape throws(HoldfastError) in
      decoded.addPictures(shape)
      return try FilterGraph(
        PictureFilters.encoding(picture, size: size, frame: shape, as: target), for: frame,
        timeBase: input.timeBase)
    }
    let mastering = plan.video?.mastering
    let options = target.options + target.processorOptions(mastering)
    encoder = try Encoder(target.encoder, muxer: muxer, options: options) { context in
      context.width = CInt(size.width)
      context.height = CInt(size.height)
      context.sample_aspect_ratio = AVRational(num: 1, den: 1)
      // The source's own clock, so that every picture keeps its own time.
      context.time_base = input.timeBase
      context.framerate = Self.rate(of: input, measured: plan.video?.pictureRate)
      target.configure(&context)
    }
    if target.colour != nil, let mastering { try encoder.describe(mastering) }
  }

  /// Returns the pictures per second, from which libx264 derives its level and its rate control:
  /// the header's average, or else the measured rate. If the rate were unknown, libx264 would use
  /// the clock's, such as 90,000.
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

  func add(_ packet: UnsafeMutablePointer<AVPacket>) throws(HoldfastError) {
    guard clock.needs(packet) else { return }
    clock.stored.note(packet)
    let damaged = decoder.damagedPackets
    try decoder.decode(packet, encode)
    if decoder.damagedPackets > damaged { clock.stored.lose() }
  }

  func finish() throws(HoldfastError) {
    try decoder.finish(encode)
    if decoder.damagedPackets > 0 {
      muxer.shortenPictures(to: Double(clock.end) * input.timeBase.seconds)
    }
    try encoder.encode(nil, to: muxer)
    guard encoder.packets > 0 else {
      throw HoldfastError(.damaged, "none of its pictures can be decoded")
    }
  }

  func describe(in report: inout ConversionReport) {
    report.pictures = clock.pictures
    report.encodedPicturesEnd = Double(clock.end) * input.timeBase.seconds
    report.encodedSize = size
    report.decodedPicture = decoded.picture
    if target.codec != .h264 { report.encodedCodec = target.codec }
    report.settings.append(
      "\(target.encoder) " + target.options.map { "\($0.0)=\($0.1)" }.joined(separator: " "))
    if let obstacle = target.obstacle {
      report.warnings.append("\(obstacle): it is kept as H.264, in standard dynamic range")
    }
    if let filters = decoder.description { report.settings.append("filters \(filters)") }
    report.noteDamage(packets: decoder.damagedPackets, frames: decoder.damagedFrames, of: "picture")
    if let vision = DolbyVision(of: input), !vision.hasCompatibleBase {
      report.warnings.append(
        "only players that support Dolby Vision show its colours correctly; they may be wrong now")
    }
  }

  /// Whether a picture must be a keyframe, because the next one would be too late for it.
  private func needsKeyframe(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    let time = frame.pointee.pts
    let next = Double(time + max(frame.duration, 1) - (lastKeyframe ?? time))
    guard lastKeyframe == nil || next * input.timeBase.seconds > Self.mostSeconds + 1e-6 else {
      return false
    }
    lastKeyframe = time
    return true
  }

  private func encode(_ frame: UnsafeMutablePointer<AVFrame>) throws(HoldfastError) {
    // The encoder would otherwise be forced to use the decoder's picture type.
    frame.pointee.pict_type = needsKeyframe(frame) ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    try encoder.encode(frame, to: muxer)
  }
}
