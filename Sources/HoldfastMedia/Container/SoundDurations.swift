import CFFmpeg

/// Checks the durations that packets of sound name against the clock around them, and takes off
/// what is not presented.
///
/// A packet cannot last much longer than the packets before it. FFmpeg gives the last packet of a
/// Vorbis file that was trimmed at its end a duration of nearly 2³² samples, and any file may name
/// such a duration.
///
/// Some demuxers count the samples that a decoder discards at a packet's end in its duration, and
/// some do not. That of MP4 does either.
final class SoundDurations {
  /// A duration of up to this many times the longest step of the clock is believed.
  private static let mostSteps: Int64 = 8
  /// A duration up to this is always believed, in seconds.
  private static let longest = 10.0

  private struct Stream {
    var latest: Int64?
    var longestStep: Int64 = 0
    /// The last duration that was believed.
    var duration: Int64 = 0
  }

  private var streams: [Int32: Stream] = [:]

  /// Replaces a packet's duration, if it is absurd, by that of the packet before it. Takes off the
  /// samples that are discarded at its end, if they are in it.
  func correct(
    _ packet: UnsafeMutablePointer<AVPacket>, of source: UnsafeMutablePointer<AVStream>
  ) {
    let parameters = source.parameters
    guard parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO, source.timeBase.seconds > 0 else {
      return
    }
    var stream = streams[packet.pointee.stream_index] ?? Stream()
    defer { streams[packet.pointee.stream_index] = stream }
    let time = packet.presentation ?? packet.decoding
    if let time, let latest = stream.latest {
      stream.longestStep = max(stream.longestStep, time - latest)
    }
    stream.latest = time ?? stream.latest
    // Sound that is not compressed lasts as long as its bytes do.
    let samples = Int64(av_get_audio_frame_duration2(parameters, packet.pointee.size))
    let rate = AVRational(num: 1, den: max(1, parameters.pointee.sample_rate))
    let own = samples > 0 ? samples.rescaled(from: rate, to: source.timeBase) : 0
    let always = Int64((Self.longest / source.timeBase.seconds).rounded())
    let step = min(max(stream.longestStep, own), always)
    let limit = max(always, step * Self.mostSteps)
    let previous = stream.duration
    if packet.pointee.duration > limit { packet.pointee.duration = max(previous, own) }
    let named = packet.duration
    stream.duration = named
    let discarded = packet.skippedSamples.atEnd
    guard discarded > 0 else { return }
    let usual = Int64(parameters.pointee.frame_size).rescaled(from: rate, to: source.timeBase)
    let whole = max(named, previous, own, usual)
    let presented = max(0, whole - discarded.rescaled(from: rate, to: source.timeBase))
    packet.pointee.duration = named > 0 ? min(named, presented) : presented
  }
}

extension UnsafeMutablePointer where Pointee == AVStream {
  /// Whether the stream's sound has no frames, so that a packet may end after any sample.
  var isUnframed: Bool { av_get_exact_bits_per_sample(parameters.pointee.codec_id) > 0 }
}
