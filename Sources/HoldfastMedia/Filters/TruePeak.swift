internal import CFFmpeg
internal import HoldfastModel

/// How loud sound is between its samples, after it was mixed or its rate was changed.
///
/// Six channels at full scale come out up to 13 dB over it when they are mixed to two, and every player
/// clips that.
enum TruePeak {
  /// The highest peak, of 1 at full scale: −1 dBTP (EBU R 128, §f).
  private static let highest: Float = 0.891_251
  /// How many times as many samples show what is between them (ITU-R BS.1770-4, annex 2).
  private static let oversampling: CInt = 4

  /// What is said of a recording whose peaks were limited.
  static let settings = "limiter −1 dBTP"

  /// The filters that keep peaks under the highest. What follows a peak is quieter for some 50 ms, and the
  /// rest stays as loud as it is.
  ///
  /// The limiter looks 5 ms ahead, and without `latency` the sound would come so much later.
  static func limiter(sampleRate: CInt) -> String {
    "aresample=\(sampleRate * oversampling),"
      + "alimiter=limit=\(highest):level=disabled:attack=5:release=50:latency=enabled,"
      + "aresample=\(sampleRate),aformat=sample_fmts=fltp"
  }

  /// Whether sound has peaks over the highest as the encoder would be given it. Reads the source up to
  /// the first.
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
