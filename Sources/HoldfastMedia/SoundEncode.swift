internal import CFFmpeg
internal import HoldfastModel

/// Decodes a stream's sound and encodes it as AAC-LC.
final class SoundEncode: StreamConversion {
  /// FFmpeg's name for the encoder.
  static let encoder = "aac"

  /// A gap or overlap of the source's sound from which on it is filled or cut, in seconds: sound
  /// and picture stay within 20 ms (DESIGN §5).
  static let mostDrift = 0.02

  private let muxer: Muxer
  private let sampleRate: CInt
  private let channels: CInt
  private let decoder: FilteredDecoder
  private let encoder: Encoder
  private let frames: SoundFrames
  private let clock: SoundClock
  private let decoded = DecodedFormat()
  /// Presented start and end of the sound that was encoded, in samples.
  private var span: Range<Int64>?
  private var peak: Float = 0

  init(
    _ input: UnsafeMutablePointer<AVStream>, _ plan: ConversionPlan, to muxer: Muxer
  ) throws(MediaError) {
    self.muxer = muxer
    // Rates of the 44.1 kHz family stay in it; everything else becomes 48 kHz.
    let sourceRate = input.parameters.pointee.sample_rate
    let sampleRate: CInt = sourceRate > 0 && 88_200 % sourceRate == 0 ? 44_100 : 48_000
    let layout = input.parameters.pointee.ch_layout
    let isAmbisonic = layout.order == AV_CHANNEL_ORDER_AMBISONIC
    let channels: CInt = layout.nb_channels == 1 || isAmbisonic ? 1 : 2
    // A sphere's first channel is what came from everywhere (RFC 8486 §3.1); the others say from where.
    let mix = isAmbisonic ? "channelmap=map=0:channel_layout=mono," : ""
    encoder = try Encoder(Self.encoder, muxer: muxer, options: []) { context in
      context.sample_rate = sampleRate
      context.sample_fmt = AV_SAMPLE_FMT_FLTP
      av_channel_layout_default(&context.ch_layout, channels)
      context.bit_rate = channels == 1 ? 64_000 : 128_000
      context.time_base = AVRational(num: 1, den: sampleRate)
    }
    let clock = SoundClock(StreamStretch(plan, timeBase: input.timeBase), input.timeBase)
    self.clock = clock
    let decoded = decoded
    decoder = try FilteredDecoder(input, threads: 1) { frame in
      if frame.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
        av_channel_layout_default(&frame.pointee.ch_layout, frame.pointee.ch_layout.nb_channels)
      }
      return clock.takes(frame)
    } makeFilters: { frame, shape throws(MediaError) in
      decoded.addSound(shape)
      return try FilterGraph(
        mix + "aresample=\(sampleRate):async=1:min_hard_comp=\(Self.mostDrift),"
          + "aformat=sample_fmts=fltp:sample_rates=\(sampleRate)"
          + ":channel_layouts=\(channels == 1 ? "mono" : "stereo")"
          + clock.cut(sampleRate: sampleRate),
        for: frame, timeBase: input.timeBase)
    }
    frames = try SoundFrames(for: encoder)
    self.sampleRate = sampleRate
    self.channels = channels
  }

  var isDone: Bool { clock.isOver }

  func add(_ packet: UnsafeMutablePointer<AVPacket>) throws(MediaError) {
    guard clock.needs(packet) else { return }
    try decoder.decode(packet) { frame throws(MediaError) in try frames.add(frame, encode) }
  }

  func finish() throws(MediaError) {
    try decoder.finish { frame throws(MediaError) in try frames.add(frame, encode) }
    try frames.finish(encode)
    try encoder.encode(nil, to: muxer)
    guard span != nil else { throw MediaError(.damaged, "none of its sound can be decoded") }
  }

  func describe(in report: inout ConversionReport) {
    report.encodedSound = span
    report.encodedSampleRate = Int(sampleRate)
    report.encodedPeak = Double(peak)
    report.decodedSound = decoded.sound
    report.settings.append("aac \(channels == 1 ? 64 : 128) kb/s, \(sampleRate) Hz, \(channels) ch")
    if let filters = decoder.description { report.settings.append("filters \(filters)") }
    report.noteDamage(packets: decoder.damagedPackets, frames: decoder.damagedFrames, of: "sound")
  }

  private func encode(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) {
    let start = frame.presentation ?? span?.upperBound ?? 0
    let end = start + Int64(frame.pointee.nb_samples)
    span = min(span?.lowerBound ?? start, start)..<max(span?.upperBound ?? end, end)
    peak = max(peak, frame.peak)
    try encoder.encode(frame, to: muxer)
  }
}

/// Gives the sound of a stretch its time on the output's clock.
private final class SoundClock {
  /// Whether the stretch is over: no later sound belongs to it.
  private(set) var isOver = false
  private let stretch: StreamStretch
  private let timeBase: AVRational

  init(_ stretch: StreamStretch, _ timeBase: AVRational) {
    self.stretch = stretch
    self.timeBase = timeBase
  }

  /// Whether a packet must be decoded.
  func needs(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    !stretch.isFarBefore(packet, timeBase: timeBase)
  }

  /// Gives a frame its time.
  ///
  /// - Returns: Whether some of it belongs to the stretch.
  func takes(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    guard let time = frame.presentation else {
      frame.pointee.pts = cff_no_pts
      return !isOver
    }
    frame.pointee.pts = time - stretch.zero
    if let until = stretch.until, time >= until { isOver = true }
    let samples = Int64(frame.pointee.nb_samples)
    let length = samples.rescaled(
      from: AVRational(num: 1, den: max(1, frame.pointee.sample_rate)), to: timeBase)
    if let from = stretch.from, time + length < from { return false }
    return !isOver
  }

  /// The filter that cuts the frames at the stretch's ends to the sample.
  func cut(sampleRate: CInt) -> String {
    var options: [String] = []
    if stretch.from != nil { options.append("start_pts=0") }
    if let end = stretch.end {
      let samples = end.rescaled(from: timeBase, to: AVRational(num: 1, den: sampleRate))
      options.append("end_pts=\(max(samples, 1))")
    }
    return options.isEmpty ? "" : ",atrim=" + options.joined(separator: ":")
  }
}
