internal import CFFmpeg
internal import HoldfastModel

/// How loud sound is between its samples, after it was mixed or its rate was changed.
///
/// Six channels at full scale can exceed full scale by 13 dB when they are mixed to two, and every
/// player clips that.
enum TruePeak {
  /// The highest peak that is allowed, of 1 at full scale: −1 dBTP (EBU R 128, §f).
  private static let highest: Float = 0.891_251
  /// By how much the sound is oversampled to show what is between the samples (ITU-R BS.1770-4,
  /// annex 2).
  private static let oversampling: CInt = 4

  /// What the conversion report says of a recording whose peaks were limited.
  static let settings = "limiter −1 dBTP"

  /// Returns the filters that keep peaks under ``highest``. Sound after a peak is quieter for some
  /// 50 ms. The rest stays as loud as it is.
  ///
  /// The limiter looks 5 ms ahead. Without `latency`, the sound would be late by as much.
  static func limiter(sampleRate: CInt) -> String {
    "aresample=\(sampleRate * oversampling),"
      + "alimiter=limit=\(highest):level=disabled:attack=5:release=50:latency=enabled,"
      + "aresample=\(sampleRate),aformat=sample_fmts=fltp"
  }

  /// Whether sound, as the encoder would be given it, has peaks over ``highest``. Reads the source
  /// up to the first such peak.
  static func isExceeded(
    by planned: ConversionPlan.Stream, _ plan: ConversionPlan, of source: OpenMedia,
    call: RunningCall
  ) throws(MediaError) -> Bool {
    let demuxer = try Demuxer.opening(source, for: plan, call: call)
    let stream = try demuxer.stream(at: planned.index)
    demuxer.discardStreams { $0 != planned.index }
    let target = SoundTarget(planned, of: stream)
    let clock = SoundClock(StreamStretch(plan, timeBase: stream.timeBase), stream.timeBase)
    let decoder = try SoundEncode.decoder(
      of: stream, target, clock, DecodedFormat(),
      then: ["aresample=\(target.sampleRate * oversampling),aformat=sample_fmts=fltp"])
    var peak: Float = 0
    let packet = try Packet()
    while peak <= highest, !clock.isOver, case .packet = try demuxer.read(into: packet.pointer) {
      guard Int(packet.pointer.pointee.stream_index) == planned.index,
        clock.needs(packet.pointer)
      else { continue }
      try decoder.decode(packet.pointer) { frame in peak = max(peak, frame.peak) }
    }
    if peak <= highest { try decoder.finish { frame in peak = max(peak, frame.peak) } }
    return peak > highest
  }
}
