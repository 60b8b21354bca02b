import CFFmpeg
import Foundation
import HoldfastModel

/// The peaks of sound between its samples, after it was mixed or its rate was changed.
///
/// Six channels at full scale can exceed full scale by 13 dB when they are mixed to two, and every
/// player clips that.
enum TruePeak {
  /// The highest peak that is allowed, of 1 at full scale: −1 dBTP (EBU R 128, §f).
  private static let highest: Float = 0.891_251
  /// The oversampling that shows the sound between the samples (ITU-R BS.1770-4, annex 2).
  private static let oversampling: CInt = 4
  /// The factor by which a further ceiling is lower than seems necessary: half a decibel.
  private static let margin: Float = 0.944
  private static let mostTrials = 5

  /// The conversion report's text about a recording whose peaks were limited.
  static func settings(_ ceiling: Float) -> String {
    let decibels = -(20 * log10(Double(ceiling)) * 10).rounded() / 10
    let whole = decibels == decibels.rounded()
    return "limiter −\(whole ? "\(Int(decibels))" : "\(decibels)") dBTP"
  }

  /// Returns the filters that keep peaks under a ceiling. Sound after a peak is quieter for some
  /// 50 ms. The rest stays as loud as it is.
  ///
  /// The limiter looks 5 ms ahead. Without `latency`, the sound would be late by as much.
  static func limiter(_ ceiling: Float, sampleRate: CInt) -> String {
    "aresample=\(sampleRate * oversampling),"
      + "alimiter=limit=\(ceiling):level=disabled:attack=5:release=50:latency=enabled,"
      + "aresample=\(sampleRate),aformat=sample_fmts=fltp"
  }

  /// Returns the filters that show the peaks between samples.
  static func oversampled(sampleRate: CInt) -> String {
    "aresample=\(sampleRate * oversampling),aformat=sample_fmts=fltp"
  }

  /// Returns the limiter's ceiling for the peaks of sound, or `nil` if the sound needs no limiter.
  ///
  /// FFmpeg's AAC encoder can raise the peaks of limited noise by 6 dB. So the limited sound is
  /// encoded and decoded for trial, and the ceiling lowered until nothing is over full scale.
  static func ceiling(
    for planned: ConversionPlan.Stream, _ plan: ConversionPlan, of source: OpenMedia,
    call: RunningCall
  ) throws(HoldfastError) -> Float? {
    var sound = try PlannedSound(planned, plan, of: source, call: call)
    guard try sound.exceeds(highest) else { return nil }
    var ceiling = highest
    for _ in 1...mostTrials {
      sound = try PlannedSound(planned, plan, of: source, call: call)
      let peak = try sound.peakOnceEncoded(under: ceiling)
      if peak <= 1 { break }
      ceiling *= margin / peak
    }
    return ceiling
  }
}

/// A source's sound on its way to the encoder, read once to see how loud it is.
private final class PlannedSound {
  private let demuxer: Demuxer
  private let stream: UnsafeMutablePointer<AVStream>
  private let index: Int
  private let target: SoundTarget
  private let clock: SoundClock

  init(
    _ planned: ConversionPlan.Stream, _ plan: ConversionPlan, of source: OpenMedia,
    call: RunningCall
  ) throws(HoldfastError) {
    let demuxer = try Demuxer.opening(source, for: plan, call: call)
    let stream = try demuxer.stream(at: planned.index)
    demuxer.discardStreams { $0 != planned.index }
    index = planned.index
    target = SoundTarget(planned, of: stream)
    clock = SoundClock(plan, stream.timeBase)
    self.stream = stream
    self.demuxer = demuxer
  }

  /// Whether the sound, as the encoder would be given it, has peaks over `limit`. Reads the source
  /// up to the first such peak.
  func exceeds(_ limit: Float) throws(HoldfastError) -> Bool {
    var peak: Float = 0
    try read(through: TruePeak.oversampled(sampleRate: target.sampleRate)) {
      peak <= limit
    } _: { frame in
      peak = max(peak, frame.peak)
    }
    return peak > limit
  }

  /// Limits the sound, encodes it, decodes it again and returns its true peak.
  func peakOnceEncoded(under ceiling: Float) throws(HoldfastError) -> Float {
    let trial = try EncodingTrial(target)
    try read(through: TruePeak.limiter(ceiling, sampleRate: target.sampleRate)) {
      true
    } _: { frame throws(HoldfastError) in
      try trial.add(frame)
    }
    return try trial.finish()
  }

  /// Passes the sound, filtered, to `body` for as long as `goesOn`.
  private func read(
    through filters: String, while goesOn: () -> Bool, _ body: FrameHandler
  ) throws(HoldfastError) {
    let decoder = try SoundEncode.decoder(
      of: stream, target: target, clock: clock, format: DecodedFormat(), then: [filters])
    let packet = try Packet()
    while goesOn(), !clock.isOver, case .packet = try demuxer.read(into: packet.pointer) {
      guard Int(packet.pointer.pointee.stream_index) == index, clock.needs(packet.pointer)
      else { continue }
      try decoder.decode(packet.pointer, body)
    }
    if goesOn() { try decoder.finish(body) }
  }
}
