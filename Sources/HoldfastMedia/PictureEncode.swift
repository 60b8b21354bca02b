internal import CFFmpeg
internal import HoldfastModel

/// Decodes a stream's pictures, turns them upright and encodes them as H.264.
final class PictureEncode: StreamConversion {
  /// FFmpeg's name for the encoder.
  static let encoder = "libx264"

  private static let options = [("preset", "medium"), ("crf", "20"), ("profile", "high")]

  /// What libx264 may use of the processor. Its AVX-512 code for the macroblock tree (0.164,
  /// `mbtree_propagate_list`) takes eight macroblocks at a time, and at the end of a row whatever
  /// lies behind it: quantisers, and so pictures, would depend on what the memory held before.
  private static var processorOptions: [(String, String)] {
    av_get_cpu_flags() & AV_CPU_FLAG_AVX512 == 0 ? [] : [("x264-params", "asm=AVX2")]
  }

  private let muxer: Muxer
  private let input: UnsafeMutablePointer<AVStream>
  /// As many threads as FFmpeg's decoders take by themselves.
  private static let mostThreads: CInt = 16

  private let size: PictureSize
  private let decoder: FilteredDecoder
  private let encoder: Encoder
  private let clock: PictureClock
  private let decoded = DecodedFormat()

  init(
    _ input: UnsafeMutablePointer<AVStream>, picture: PictureFormat, _ plan: ConversionPlan,
    to muxer: Muxer
  ) throws(MediaError) {
    self.input = input
    let size = PictureFilters.encodedSize(of: picture, maxHeight: plan.maxHeight)
    self.size = size
    self.muxer = muxer
    let clock = PictureClock(StreamStretch(plan, timeBase: input.timeBase))
    self.clock = clock
    let decoded = decoded
    decoder = try FilteredDecoder(input, threads: 0) { frame in
      clock.takes(frame)
    } makeFilters: { frame, shape throws(MediaError) in
      decoded.addPictures(shape)
      return try FilterGraph(
        PictureFilters.encoding(picture, size: size, frame: shape), for: frame,
        timeBase: input.timeBase)
    }
    let options = Self.options + Self.processorOptions
    encoder = try Encoder(Self.encoder, muxer: muxer, options: options) { context in
      context.width = CInt(size.width)
      context.height = CInt(size.height)
      context.pix_fmt = AV_PIX_FMT_YUV420P
      context.sample_aspect_ratio = AVRational(num: 1, den: 1)
      // The source's own clock: every picture keeps its own time.
      context.time_base = input.timeBase
      context.framerate = Self.rate(of: input, measured: plan.video?.pictureRate)
      // libx264 takes half as many again as there are cores, each with pictures of its own: a limit
      // on memory must know of an end to that.
      if av_cpu_count() * 3 / 2 > Self.mostThreads { context.thread_count = Self.mostThreads }
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
    guard clock.needs(packet) else { return }
    clock.stored.note(packet)
    let damaged = decoder.damagedPackets
    try decoder.decode(packet, encode)
    if decoder.damagedPackets > damaged { clock.stored.lose() }
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
    report.encodedPicturesEnd = Double(clock.end) * input.timeBase.seconds
    report.encodedSize = size
    report.decodedPicture = decoded.picture
    report.settings.append(
      "libx264 " + Self.options.map { "\($0.0)=\($0.1)" }.joined(separator: " "))
    if let filters = decoder.description { report.settings.append("filters \(filters)") }
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
