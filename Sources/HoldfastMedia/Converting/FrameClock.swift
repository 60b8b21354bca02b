internal import CFFmpeg

/// Gives the frames of copied sound the exact times that a container's clock is too coarse for.
///
/// Matroska counts thousandths of a second, and MPEG-TS ninety-thousandths. A frame of 1,024 samples at
/// 44.1 kHz then seems to last 1,014 samples, or 1,058, and a player that trusts its index crackles or
/// drifts. A frame that follows the one before it, as far as the source's clock can tell, follows it
/// here to the sample. Where there is a gap, the source's time counts.
struct FrameClock {
  private let input: AVRational
  private let output: AVRational
  /// How many samples a frame of the stream may have, the likeliest first.
  private let lengths: [Int64]
  /// Where the last frame ended, in samples.
  private var end: Int64?

  /// - Returns: `nil` where times need no correction: the source counts in samples, or nothing says
  ///   how long a frame is.
  init?(
    of parameters: UnsafePointer<AVCodecParameters>, from input: AVRational, to output: AVRational
  ) {
    let rate = parameters.pointee.sample_rate
    guard parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO, rate > 0,
      av_cmp_q(output, AVRational(num: 1, den: rate)) == 0, av_cmp_q(input, output) != 0
    else { return nil }
    var lengths = [Int64(parameters.pointee.frame_size)]
    // HE-AAC has twice as many, which a container need not say.
    if parameters.pointee.codec_id == AV_CODEC_ID_AAC { lengths += [1024, 2048] }
    self.lengths = lengths.filter { $0 > 1 }
    guard !self.lengths.isEmpty else { return nil }
    self.input = input
    self.output = output
  }

  /// Finds where a frame belongs.
  ///
  /// - Parameters:
  ///   - time: Its time by the source's clock, in ticks of it.
  ///   - duration: How long it lasts there; 0 if nothing says so.
  /// - Returns: Where it begins and how long it lasts, in samples.
  mutating func place(_ time: Int64, duration: Int64) -> (start: Int64, length: Int64) {
    var start = time.rescaled(from: input, to: output)
    if let end, isSame(end, as: time) { start = end }
    let length =
      lengths.first { duration == 0 || isSame($0, as: duration) }
      ?? duration.rescaled(from: input, to: output)
    end = start + length
    return (start, length)
  }

  /// Whether so many samples are this many of the source's ticks, as far as the coarser of both clocks
  /// can tell.
  private func isSame(_ samples: Int64, as ticks: Int64) -> Bool {
    let difference = Double(samples) * output.seconds - Double(ticks) * input.seconds
    return abs(difference) <= max(input.seconds, output.seconds)
  }
}
