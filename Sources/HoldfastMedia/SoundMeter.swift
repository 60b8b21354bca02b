internal import CFFmpeg
internal import Glibc
internal import HoldfastModel

/// Measures a recording's sound: its loudness and true peak (libavfilter's ebur128), and its peaks.
struct SoundMeter: ~Copyable {
  /// It adds its figures so far to each tenth of a second, and passes the sound on as it is.
  private static let filters = "ebur128=peak=true:metadata=1"
  /// What a peak is below that is none: its figure has three decimals.
  private static let silence = 0.000_5
  private static let stepsPerSecond = Int64((1 / SoundProfile.step).rounded())

  private var profile = SoundProfile(loudness: nil, truePeak: nil, peaks: [])

  /// Measures the first sound of `source`.
  ///
  /// - Throws: ``MediaError`` when it has none, or it cannot be decoded.
  static func run(_ source: OpenMedia, call: RunningCall) throws(MediaError) -> SoundProfile {
    let demuxer = try Demuxer(source, description: .header, call: call)
    guard
      let stream = demuxer.streams.first(where: {
        $0.parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO
      })
    else { throw MediaError(.nothingToPlay, "it has no sound") }
    let index = Int(stream.pointee.index)
    demuxer.discardStreams { $0 != index }
    let decoder = try FilteredDecoder(stream, threads: 1) { frame in
      frame.pointee.pts = frame.presentation ?? cff_no_pts
      return true
    } makeFilters: { frame, _ throws(MediaError) in
      try FilterGraph(filters, for: frame, timeBase: stream.timeBase)
    }
    var meter = SoundMeter()
    let packet = try Packet()
    while case .packet = try demuxer.read(into: packet.pointer) {
      guard Int(packet.pointer.pointee.stream_index) == index else { continue }
      try decoder.decode(packet.pointer) { frame in meter.add(frame) }
    }
    try decoder.finish { frame in meter.add(frame) }
    return meter.profile
  }

  private mutating func add(_ frame: UnsafeMutablePointer<AVFrame>) {
    addPeaks(of: frame)
    // Not in what is left at the end, which is shorter than a tenth of a second.
    if let loudness = Self.figure("I", of: frame) {
      profile.loudness = loudness > SoundProfile.loudnessRange.lowerBound ? loudness : nil
    }
    if let peak = Self.figure("true_peak", of: frame) {
      profile.truePeak = peak < Self.silence ? nil : 20 * log10(peak)
    }
  }

  private static func figure(
    _ name: String, of frame: UnsafeMutablePointer<AVFrame>
  ) -> Double? {
    av_dict_get(frame.pointee.metadata, "lavfi.r128.\(name)", nil, 0)
      .flatMap { Double(String(cString: $0.pointee.value)) }
  }

  private mutating func addPeaks(of frame: UnsafeMutablePointer<AVFrame>) {
    let rate = Int64(frame.pointee.sample_rate)
    let (count, channels) = (Int64(frame.pointee.nb_samples), frame.pointee.ch_layout.nb_channels)
    guard let plane = frame.pointee.extended_data[0], let begin = frame.presentation else { return }
    let samples = UnsafeRawPointer(plane).assumingMemoryBound(to: Double.self)
    var place = max(0, -begin)
    while place < count {
      let step = (begin + place) * Self.stepsPerSecond / rate
      guard step < SoundProfile.mostPeaks else { return }
      let nextStep = ((step + 1) * rate + Self.stepsPerSecond - 1) / Self.stepsPerSecond
      let end = min(count, nextStep - begin)
      note(
        cff_peak_double(samples + Int(place) * Int(channels), CInt(end - place) * channels),
        at: Int(step))
      place = end
    }
  }

  private mutating func note(_ peak: Double, at step: Int) {
    while profile.peaks.count <= step { profile.peaks.append(0) }
    profile.peaks[step] = max(profile.peaks[step], UInt8(min(peak * 255, 255).rounded()))
  }
}
