import CFFmpeg
import HoldfastModel

/// The memory of one packet, used again for each packet that is read.
struct Packet: ~Copyable {
  let pointer: UnsafeMutablePointer<AVPacket>

  init() throws(HoldfastError) { pointer = try check(av_packet_alloc(), "allocate a packet") }

  deinit { release(pointer) { av_packet_free($0) } }
}

/// The memory of one frame, used again for each frame that is decoded.
struct Frame: ~Copyable {
  let pointer: UnsafeMutablePointer<AVFrame>

  init() throws(HoldfastError) { pointer = try check(av_frame_alloc(), "allocate a frame") }

  deinit { release(pointer) { av_frame_free($0) } }
}

/// Receives a decoded or filtered frame, which is reused after the call.
typealias FrameHandler = (UnsafeMutablePointer<AVFrame>) throws(HoldfastError) -> Void

extension UnsafeMutablePointer where Pointee == AVPacket {
  var presentation: Int64? { Int64(ticks: pointee.pts) }
  var decoding: Int64? { Int64(ticks: pointee.dts) }
  /// The packet's duration, in ticks; 0 if unknown.
  var duration: Int64 { Swift.max(0, Int64(ticks: pointee.duration) ?? 0) }
  var isKeyframe: Bool { pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// Whether part of the packet is missing from the file.
  var isCorrupt: Bool { pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
  /// Whether an edit list hides the packet. It is decoded only because later packets need it.
  var isDiscarded: Bool { pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

  /// The side data of a type, which lives as long as the packet's; `nil` if there is none.
  func sideData(_ type: AVPacketSideDataType) -> UnsafeBufferPointer<UInt8>? {
    var size = 0
    return av_packet_get_side_data(self, type, &size).map {
      UnsafeBufferPointer(start: $0, count: size)
    }
  }

  /// The numbers of samples that are not presented at the packet's start and at its end (encoder
  /// priming and padding).
  var skippedSamples: (atStart: Int64, atEnd: Int64) {
    guard let data = sideData(AV_PKT_DATA_SKIP_SAMPLES), data.count >= 10,
      let start = data.baseAddress
    else { return (0, 0) }
    return (Int64(cff_skip_at_start(start)), Int64(cff_skip_at_end(start)))
  }
}

extension AVRational {
  /// One tick, in seconds.
  var seconds: Double { den == 0 ? 0 : Double(num) / Double(den) }

  init(_ time: MediaTime) { self.init(num: time.numerator, den: time.denominator) }
}

extension MediaTime {
  func ticks(of timeBase: AVRational) -> Int64 {
    (Int64(ticks: ticks) ?? 0).rescaled(from: AVRational(self), to: timeBase)
  }
}

extension Int64 {
  /// The largest believable time, in ticks. A file that claims more is wrong, and sums of such
  /// times would not fit.
  private static let mostTicks: Int64 = 1 << 56

  /// Creates a time from a file; `nil` if the file gives none, or an impossible one.
  init?(ticks: Int64) {
    guard ticks != cff_no_pts, abs(ticks) <= Self.mostTicks else { return nil }
    self = ticks
  }

  /// Converts ticks of `from` to ticks of `to`, rounded to the nearest and kept within bounds.
  func rescaled(from: AVRational, to: AVRational) -> Int64 {
    bounded(av_rescale_q(self, from, to))
  }

  /// Converts ticks of `from` to ticks of `to`, rounded down and kept within bounds.
  func floored(from: AVRational, to: AVRational) -> Int64 {
    bounded(av_rescale_q_rnd(self, from, to, AV_ROUND_DOWN))
  }

  private func bounded(_ result: Int64) -> Int64 {
    result == cff_no_pts
      ? (self < 0 ? -Self.mostTicks : Self.mostTicks)
      : Swift.min(Swift.max(result, -Self.mostTicks), Self.mostTicks)
  }
}

extension UnsafeMutablePointer where Pointee == AVFrame {
  /// When the frame is shown, in ticks of its stream; `nil` if nothing says so.
  var presentation: Int64? {
    Int64(ticks: pointee.pts) ?? Int64(ticks: pointee.best_effort_timestamp)
  }

  /// Whether the decoder had to make up part of the frame.
  var isDamaged: Bool {
    pointee.decode_error_flags != 0 || pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
  }

  /// The frame's duration, in ticks of its stream; 0 if unknown.
  var duration: Int64 { Swift.max(0, Int64(ticks: cff_frame_duration(self)) ?? 0) }

  /// The loudest sample, from 0 to 1, of the planar kinds that FFmpeg's AAC and ALAC use. Any other
  /// kind counts as loud: 1.
  var peak: Float {
    switch AVSampleFormat(rawValue: pointee.format) {
    case AV_SAMPLE_FMT_FLTP: peak(by: cff_peak)
    case AV_SAMPLE_FMT_S16P: peak(by: cff_peak_16)
    case AV_SAMPLE_FMT_S32P: peak(by: cff_peak_32)
    default: 1
    }
  }

  private func peak<Sample>(by measure: (UnsafePointer<Sample>, CInt) -> Float) -> Float {
    var peak: Float = 0
    forEachPlane { peak = Swift.max(peak, measure($0, pointee.nb_samples)) }
    return peak
  }

  /// Rounds planar 32-bit samples to the 24 bits that a lossless encoder keeps of them.
  func roundTo24Bits() {
    guard pointee.format == AV_SAMPLE_FMT_S32P.rawValue else { return }
    forEachPlane { cff_round_24($0, pointee.nb_samples) }
  }

  /// Calls `body` with the samples of each channel, which must be of the type that it takes.
  private func forEachPlane<Sample>(_ body: (UnsafeMutablePointer<Sample>) -> Void) {
    for channel in 0..<Int(pointee.ch_layout.nb_channels) {
      guard let plane = pointee.extended_data[channel] else { continue }
      plane.withMemoryRebound(to: Sample.self, capacity: Int(pointee.nb_samples), body)
    }
  }
}
