internal import CFFmpeg
internal import HoldfastModel

/// One packet's memory, used again for each that is read.
struct Packet: ~Copyable {
  let pointer: UnsafeMutablePointer<AVPacket>

  init() throws(MediaError) { pointer = try check(av_packet_alloc(), "allocate a packet") }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&pointer)
  }
}

/// One frame's memory, used again for each that is decoded.
struct Frame: ~Copyable {
  let pointer: UnsafeMutablePointer<AVFrame>

  init() throws(MediaError) { pointer = try check(av_frame_alloc(), "allocate a frame") }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&pointer)
  }
}

extension UnsafeMutablePointer where Pointee == AVPacket {
  var presentation: Int64? { pointee.pts == cff_no_pts ? nil : pointee.pts }
  var decoding: Int64? { pointee.dts == cff_no_pts ? nil : pointee.dts }
  var isKeyframe: Bool { pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// Decoded for the sake of later ones, but not presented: it lies before an edit's start.
  var isDiscarded: Bool { pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

  func hasSideData(_ type: AVPacketSideDataType) -> Bool {
    var size = 0
    return cff_packet_side_data(self, type, &size) != nil
  }

  /// Samples that are not presented, at the packet's start and at its end (encoder priming and
  /// padding).
  var skippedSamples: (atStart: Int64, atEnd: Int64) {
    var size = 0
    guard let data = cff_packet_side_data(self, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 10
    else { return (0, 0) }
    return (Int64(cff_skip_at_start(data)), Int64(cff_skip_at_end(data)))
  }
}

extension AVRational {
  /// One tick in seconds.
  var seconds: Double { den == 0 ? 0 : Double(num) / Double(den) }

  init(_ time: MediaTime) { self.init(num: time.numerator, den: time.denominator) }
}

extension Int64 {
  /// This many ticks of `from` in ticks of `to`, rounded to the nearest.
  func rescaled(from: AVRational, to: AVRational) -> Int64 { av_rescale_q(self, from, to) }
}

extension UnsafeMutablePointer where Pointee == AVFrame {
  /// The loudest sample of planar floating-point sound, from 0 to 1.
  var peak: Float {
    var peak: Float = 0
    for channel in 0..<Int(pointee.ch_layout.nb_channels) {
      guard let plane = pointee.extended_data[channel] else { continue }
      plane.withMemoryRebound(to: Float.self, capacity: Int(pointee.nb_samples)) {
        peak = Swift.max(peak, cff_peak($0, pointee.nb_samples))
      }
    }
    return peak
  }
}
