import CFFmpeg
import HoldfastModel

final class SoundEncode: StreamConversion {
  /// The longest gap or overlap in the source's sound that is not filled or cut, in seconds. Sound
  /// and picture stay within 20 ms.
  static let mostDrift = 0.02

  private let muxer: Muxer
  private let target: SoundTarget
  private let ceiling: Float?
  private let decoder: FilteredDecoder
  private let encoder: Encoder
  private let frames: SoundFrames
  private let clock: SoundClock
  private let decoded = DecodedFormat()
  /// The presented start and end of the encoded sound, in samples.
  private var span: Range<Int64>?
  private var peak: Float = 0
  /// The hash of the sound that was encoded without loss; `nil` for lossy sound.
  private let samples: SampleHash?

  /// - Parameter ceiling: The limit for peaks, of 1 at full scale; `nil` for no limit.
  init(
    _ input: UnsafeMutablePointer<AVStream>, _ plan: ConversionPlan, ceiling: Float?,
    to muxer: Muxer
  ) throws(HoldfastError) {
    self.muxer = muxer
    self.ceiling = ceiling
    let target = SoundTarget(plan.audio, of: input)
    self.target = target
    encoder = try Encoder(target.encoder, muxer: muxer, options: []) { target.configure(&$0) }
    let clock = SoundClock(plan, input.timeBase)
    self.clock = clock
    decoder = try Self.decoder(
      of: input, target: target, clock: clock, format: decoded,
      then: ceiling.map { [TruePeak.limiter($0, sampleRate: target.sampleRate)] } ?? [])
    frames = try SoundFrames(for: encoder.context)
    samples = target.codec == .alac ? try SampleHash() : nil
  }

  /// Creates a decoder that gives the samples for the encoder. The filters `others` follow the
  /// usual ones.
  static func decoder(
    of input: UnsafeMutablePointer<AVStream>, target: SoundTarget, clock: SoundClock,
    format decoded: DecodedFormat, then others: [String]
  ) throws(HoldfastError) -> FilteredDecoder {
    try FilteredDecoder(input, threads: 1) { frame in
      target.name(frame)
      return clock.accept(frame)
    } makeFilters: { frame, shape throws(HoldfastError) in
      decoded.addSound(shape)
      let filters = [target.filters + clock.cut(sampleRate: target.sampleRate)] + others
      return try FilterGraph(
        filters.joined(separator: ","), for: frame, timeBase: input.timeBase)
    }
  }

  var isDone: Bool { clock.isOver }

  func add(_ packet: UnsafeMutablePointer<AVPacket>) throws(HoldfastError) {
    guard clock.needs(packet) else { return }
    try decoder.decode(packet) { frame throws(HoldfastError) in try frames.add(frame, encode) }
  }

  func finish() throws(HoldfastError) {
    try decoder.finish { frame throws(HoldfastError) in try frames.add(frame, encode) }
    try frames.finish(encode)
    try encoder.encode(nil, to: muxer)
    guard span != nil else { throw HoldfastError(.damaged, "none of its sound can be decoded") }
    guard !decoder.isMostlyDamaged else {
      throw HoldfastError(
        .damaged,
        "\(decoder.damagedPackets) of the \(decoder.packets) packets of its sound do not decode; "
          + "it is damaged, or not a recording")
    }
  }

  func describe(in report: inout ConversionReport) {
    report.encodedSound = span
    report.encodedSampleRate = Int(target.sampleRate)
    report.encodedPeak = Double(peak)
    report.decodedSound = decoded.sound
    report.encodedSamples = samples?.description
    report.settings.append(target.settings)
    if let ceiling { report.settings.append(TruePeak.settings(ceiling)) }
    if let filters = decoder.description { report.settings.append("filters \(filters)") }
    if let warning = target.warning { report.warnings.append(warning) }
    if target.channels == 1, !target.isAmbisonic, let channels = decoded.sound?.channels,
      channels > 1
    {
      report.warnings.append("part of its sound has \(channels) channels, and is mixed to 1")
    }
    report.noteDamage(packets: decoder.damagedPackets, frames: decoder.damagedFrames, of: "sound")
  }

  private func encode(_ frame: UnsafeMutablePointer<AVFrame>) throws(HoldfastError) {
    let start = frame.presentation ?? span?.upperBound ?? 0
    let end = start + Int64(frame.pointee.nb_samples)
    span = min(span?.lowerBound ?? start, start)..<max(span?.upperBound ?? end, end)
    frame.roundTo24Bits()
    peak = max(peak, frame.peak)
    samples?.add(frame)
    try encoder.encode(frame, to: muxer)
  }
}

/// A clock that gives the sound of a stretch its time in the output.
final class SoundClock {
  /// More than any recording lasts, in seconds.
  private static let longest = 1e6

  private(set) var isOver = false
  private let stretch: StreamStretch
  private let timeBase: AVRational
  /// When the sound ends on the output's clock, in seconds; `nil` if it ends with its packets.
  ///
  /// The table of an MP4 may end it within its last packet. Not every release of FFmpeg tells the
  /// decoder, and no decoder cuts off more than one of the frames of AMR that a packet may hold.
  private let end: Double?

  init(_ plan: ConversionPlan, _ timeBase: AVRational) {
    stretch = StreamStretch(plan, timeBase: timeBase)
    self.timeBase = timeBase
    let ends = [plan.stretch?.until?.seconds, plan.audio?.shownUntil].compactMap(\.self)
    end = ends.min().map { $0 - plan.start.seconds }
  }

  /// Whether a packet must be decoded, because it is not far before the stretch.
  func needs(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    !stretch.isFarBefore(packet, timeBase: timeBase)
  }

  /// Gives a frame its time. Returns whether part of it belongs to the stretch.
  func accept(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
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

  /// Returns the filter that cuts frames at the stretch's ends, exact to the sample; empty for
  /// none.
  func cut(sampleRate: CInt) -> String {
    var options: [String] = []
    if stretch.from != nil { options.append("start_pts=0") }
    if let end {
      let samples = Int64((min(end, Self.longest) * Double(sampleRate)).rounded())
      options.append("end_pts=\(max(samples, 1))")
    }
    return options.isEmpty ? "" : ",atrim=" + options.joined(separator: ":")
  }
}
