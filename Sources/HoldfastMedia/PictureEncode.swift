internal import CFFmpeg
internal import HoldfastModel

/// Decodes a stream's pictures, turns them upright and encodes them as H.264.
final class PictureEncode: StreamConversion {
  private static let options = [("preset", "medium"), ("crf", "20"), ("profile", "high")]

  private let muxer: Muxer
  private let input: UnsafeMutablePointer<AVStream>
  private let picture: PictureFormat
  private let offset: Int64
  private let decoder: Decoder
  private let encoder: Encoder
  private let decoded: Frame
  private let filtered: Frame
  private var filters: FilterGraph?
  /// Size and format of the frames that ``filters`` was built for.
  private var filtersKey: [CInt] = []
  private var lastPresentation: Int64?
  private var lastDuration: Int64 = 1
  private var damagedPackets = 0

  init(
    _ input: UnsafeMutablePointer<AVStream>, picture: PictureFormat, start: MediaTime,
    to muxer: Muxer
  ) throws(MediaError) {
    self.input = input
    self.picture = picture
    self.muxer = muxer
    offset = start.ticks.rescaled(from: AVRational(start), to: input.timeBase)
    decoder = try Decoder(input, threads: 0)
    decoded = try Frame()
    filtered = try Frame()
    let size = PictureFilters.encodedSize(of: picture)
    encoder = try Encoder("libx264", muxer: muxer, options: Self.options) { context in
      context.width = CInt(size.width)
      context.height = CInt(size.height)
      context.pix_fmt = AV_PIX_FMT_YUV420P
      context.sample_aspect_ratio = AVRational(num: 1, den: 1)
      // The source's own clock: every picture keeps its own time.
      context.time_base = input.timeBase
      context.framerate = input.pointee.avg_frame_rate
      context.color_range = AVCOL_RANGE_MPEG
      context.colorspace = AVCOL_SPC_BT709
      context.color_primaries = AVCOL_PRI_BT709
      context.color_trc = AVCOL_TRC_BT709
    }
  }

  func add(_ packet: UnsafeMutablePointer<AVPacket>) throws(MediaError) {
    try decode(packet)
  }

  func finish() throws(MediaError) {
    try decode(nil)
    try drainFilters()
    try encoder.encode(nil, to: muxer)
    guard encoder.packets > 0 else {
      throw MediaError(.damaged, "none of its pictures can be decoded")
    }
  }

  func describe(in report: inout ConversionReport) {
    report.pictures = encoder.packets
    report.encodedSize = PictureFilters.encodedSize(of: picture)
    report.settings.append(
      "libx264 " + Self.options.map { "\($0.0)=\($0.1)" }.joined(separator: " "))
    if damagedPackets > 0 {
      report.warnings.append("\(damagedPackets) damaged packets of the picture were left out")
    }
    if picture.dynamicRange != .sdr {
      report.warnings.append(
        "its high dynamic range was not tone-mapped; colours may look pale")
    }
  }

  private func decode(_ packet: UnsafeMutablePointer<AVPacket>?) throws(MediaError) {
    let isIntact = try decoder.decode(packet, into: decoded.pointer) { frame throws(MediaError) in
      time(frame)
      try filter(frame)
    }
    if !isIntact, packet != nil { damagedPackets += 1 }
  }

  /// Gives a frame its own time on the output's clock: after the one before, whatever the source
  /// says.
  private func time(_ frame: UnsafeMutablePointer<AVFrame>) {
    var time = frame.presentation.map { $0 - offset } ?? (lastPresentation ?? 0) + lastDuration
    if let lastPresentation, time <= lastPresentation { time = lastPresentation + 1 }
    lastPresentation = time
    if frame.duration > 0 { lastDuration = frame.duration }
    frame.pointee.pts = time
  }

  private func filter(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) {
    let key = [frame.pointee.width, frame.pointee.height, frame.pointee.format]
    if key != filtersKey {
      try drainFilters()
      filters = try FilterGraph(
        PictureFilters.encoding(picture, frame: frame), for: frame, timeBase: input.timeBase)
      filtersKey = key
    }
    try filters?.filter(frame, into: filtered.pointer, encode)
  }

  private func drainFilters() throws(MediaError) {
    try filters?.filter(nil, into: filtered.pointer, encode)
    filters = nil
  }

  private func encode(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) {
    // The decoder's picture type would force the encoder's.
    frame.pointee.pict_type = AV_PICTURE_TYPE_NONE
    try encoder.encode(frame, to: muxer)
  }
}
