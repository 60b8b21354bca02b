import CFFmpeg
import Glibc
import HoldfastModel

/// Measures a recording's sound: its loudness and true peak (with libavfilter's ebur128), and its
/// peaks.
struct SoundMeter: ~Copyable {
  /// ebur128 adds its figures so far to each tenth of a second, and passes the sound on unchanged.
  /// The padding fills the last tenth, because ebur128 says nothing about an incomplete one.
  private static let filters = "asettb=1/sr,apad=pad_dur=0.1,ebur128=peak=true:metadata=1"
  /// A peak below this counts as none. It is less than a 16-bit sample can express.
  private static let silence = 0.000_015
  private static let stepsPerSecond = Int64((1 / SoundProfile.step).rounded())

  private var profile = SoundProfile(loudness: nil, truePeak: nil, peaks: [])
  /// The highest sample so far, and the highest true peak from ebur128, both of 1 at full scale.
  /// ebur128's figure has three decimals, and is missing for quiet sound.
  private var samplePeak = 0.0
  private var truePeak = 0.0

  /// Measures the first sound stream of `source`. Throws if there is none, or some of it does not
  /// decode.
  static func run(_ source: OpenMedia, call: RunningCall) throws(HoldfastError) -> SoundProfile {
    let demuxer = try Demuxer(source, description: .header, call: call)
    guard
      let stream = demuxer.streams.first(where: {
        $0.parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO
      })
    else { throw HoldfastError(.nothingToPlay, "it has no sound") }
    let index = Int(stream.pointee.index)
    demuxer.discardStreams { $0 != index }
    let decoder = try FilteredDecoder(stream, threads: 1) { frame in
      frame.pointee.pts = frame.presentation ?? cff_no_pts
      return true
    } makeFilters: { frame, _ throws(HoldfastError) in
      try FilterGraph(filters, for: frame, timeBase: stream.timeBase)
    }
    var meter = SoundMeter()
    let packet = try Packet()
    while case .packet = try demuxer.read(into: packet.pointer) {
      guard Int(packet.pointer.pointee.stream_index) == index else { continue }
      try decoder.decode(packet.pointer) { frame in meter.add(frame) }
    }
    try decoder.finish { frame in meter.add(frame) }
    guard decoder.damagedPackets == 0, decoder.damagedFrames == 0 else {
      throw HoldfastError(.damaged, "some of its sound does not decode")
    }
    return meter.finish()
  }

  private consuming func finish() -> SoundProfile {
    let peak = max(samplePeak, truePeak)
    if peak >= Self.silence { profile.truePeak = 20 * log10(peak) }
    return profile
  }

  private mutating func add(_ frame: UnsafeMutablePointer<AVFrame>) {
    addPeaks(of: frame)
    if let loudness = Self.figure("I", of: frame) {
      profile.loudness = loudness > SoundProfile.loudnessRange.lowerBound ? loudness : nil
    }
    truePeak = max(truePeak, Self.figure("true_peak", of: frame) ?? 0)
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
    samplePeak = max(samplePeak, peak)
    while profile.peaks.count <= step { profile.peaks.append(0) }
    profile.peaks[step] = max(profile.peaks[step], UInt8(min(peak * 255, 255).rounded()))
  }
}
