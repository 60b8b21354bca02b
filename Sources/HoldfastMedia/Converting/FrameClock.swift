import CFFmpeg

/// A clock that gives the frames of copied sound exact times where a container's clock is too
/// coarse.
///
/// Matroska counts in 1/1,000 s, and MPEG-TS in 1/90,000 s. In Matroska, a frame of 1,024 samples
/// at 44.1 kHz seems to last 1,014 or 1,058 samples. A player that trusts its index then crackles
/// or drifts. If a frame follows the one before it, as far as the source's clock can tell, it
/// follows it here exactly to the sample. If there is a gap, the source's time counts.
struct FrameClock {
  private let input: AVRational
  private let output: AVRational
  /// The numbers of samples that a frame of the stream may have, the likeliest first.
  private let lengths: [Int64]
  /// Where the last frame ended, in samples.
  private var end: Int64?

  /// - Returns: `nil` if times need no correction because the source counts in samples, or if
  ///   nothing says how long a frame is.
  init?(
    of parameters: UnsafePointer<AVCodecParameters>, from input: AVRational, to output: AVRational
  ) {
    let rate = parameters.pointee.sample_rate
    guard parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO, rate > 0,
      av_cmp_q(output, AVRational(num: 1, den: rate)) == 0, av_cmp_q(input, output) != 0
    else { return nil }
    var lengths = [Int64(parameters.pointee.frame_size)]
    // HE-AAC's frames have twice as many samples, which a container need not say.
    if parameters.pointee.codec_id == AV_CODEC_ID_AAC { lengths += [1024, 2048] }
    self.lengths = lengths.filter { $0 > 1 }
    guard !self.lengths.isEmpty else { return nil }
    self.input = input
    self.output = output
  }

  /// Works out where a frame belongs, in samples, from its time and duration in ticks of the
  /// source's clock. A duration of 0 is unknown.
  mutating func place(_ time: Int64, duration: Int64) -> (start: Int64, length: Int64) {
    var start = time.rescaled(from: input, to: output)
    if let end, isSame(end, as: time) { start = end }
    let length =
      lengths.first { duration == 0 || isSame($0, as: duration) }
      ?? duration.rescaled(from: input, to: output)
    end = start + length
    return (start, length)
  }

  /// Whether a number of samples lasts as long as a number of the source's ticks, as far as the
  /// coarser of both clocks can tell.
  private func isSame(_ samples: Int64, as ticks: Int64) -> Bool {
    let difference = Double(samples) * output.seconds - Double(ticks) * input.seconds
    return abs(difference) <= max(input.seconds, output.seconds)
  }
}
