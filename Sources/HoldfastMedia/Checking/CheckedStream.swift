import CFFmpeg
import HoldfastModel

/// One stream of an output that is being checked: its packets and, if it was encoded, its decoder's
/// output.
final class CheckedStream {
  /// The tolerance for a length, in samples. An AAC frame has 1,024 samples; ALAC's times are
  /// rounded to the output's clock.
  private var tolerance: Int64 { planned.soundCodec == .alac ? 1 : 1024 }
  /// A peak below this, 80 dB under full scale, is silence.
  private static let silence = 0.0001

  let planned: ConversionPlan.Stream
  /// The picture's format from the header. If the picture was encoded, the pixel format and bit
  /// depth are those that it decodes to.
  private(set) var picture: PictureFormat?
  let sound: SoundFormat?
  private(set) var measurement: StreamMeasurement
  /// The packets of a copied stream; empty for an encoded one.
  private(set) var packets: PacketSequence

  private let output: UnsafeMutablePointer<AVStream>
  private let hash: OpaquePointer
  private let frame: Frame
  private let soundDecoder: Decoder?
  /// The decoder of copied sound; `nil` for any other stream, and if the source has an index.
  private let copiedSound: CopiedSound?
  /// Whether the units of the source's packets follow start codes, so that those of a copy are
  /// written in another form.
  private let hasStartCodes: Bool
  private let firstKeyframe: Packet
  private let lastKeyframe: Packet
  /// The presented start and end of the decoded sound, in samples.
  private var span: Range<Int64>?
  private var peak: Float = 0
  /// The hash of a lossless encode's decoded samples; `nil` for any other stream.
  private let samples: SampleHash?

  init(
    _ planned: ConversionPlan.Stream, output: UnsafeMutablePointer<AVStream>,
    in context: UnsafeMutablePointer<AVFormatContext>, _ found: StreamInfo, decodesCopy: Bool,
    hasStartCodes: Bool
  ) throws(HoldfastError) {
    self.planned = planned
    self.output = output
    self.hasStartCodes = hasStartCodes
    picture = found.picture
    sound = found.sound
    measurement = StreamMeasurement(of: output, in: context)
    packets = PacketSequence(timeBase: output.timeBase, zero: 0)
    frame = try Frame()
    firstKeyframe = try Packet()
    lastKeyframe = try Packet()
    soundDecoder =
      planned.isCopied || found.picture != nil ? nil : try Decoder(output, threads: 1)
    copiedSound =
      decodesCopy && planned.isCopied && found.picture == nil ? try CopiedSound(output) : nil
    samples = soundDecoder != nil && planned.soundCodec == .alac ? try SampleHash() : nil
    hash = try check(av_murmur3_alloc(), "compare the packets")
  }

  deinit { av_free(UnsafeMutableRawPointer(hash)) }

  var index: CInt { output.pointee.index }

  func add(_ packet: UnsafeMutablePointer<AVPacket>) throws(HoldfastError) {
    measurement.add(packet)
    if planned.isCopied {
      packets.append(packet, hash: hash)
      try copiedSound?.add(packet)
      if hasStartCodes, packet.isKeyframe { try keep(packet) }
    } else if picture == nil {
      try decodeSound(packet)
    } else if packet.isKeyframe {
      try keep(packet)
    }
  }

  private func keep(_ keyframe: UnsafeMutablePointer<AVPacket>) throws(HoldfastError) {
    if firstKeyframe.pointer.pointee.data == nil {
      try check(av_packet_ref(firstKeyframe.pointer, keyframe), "keep a packet")
    }
    av_packet_unref(lastKeyframe.pointer)
    try check(av_packet_ref(lastKeyframe.pointer, keyframe), "keep a packet")
  }

  func finish(in file: borrowing Demuxer) throws(HoldfastError) {
    measurement.finish(output, in: file)
    if soundDecoder != nil { try decodeSound(nil) }
    try copiedSound?.add(nil)
  }

  func verify(_ report: ConversionReport) throws(HoldfastError) {
    guard measurement.hasCleanTimes else {
      throw .failedCheck("the times of stream \(index) do not rise, or one occurs twice")
    }
    if picture != nil {
      guard measurement.packets == report.pictures else {
        throw .failedCheck(
          "\(measurement.packets) pictures were written instead of \(report.pictures ?? 0)")
      }
    }
    if let expected = planned.pictures, report.damagedPackets == nil {
      // A copy also has hidden pictures, which do not count.
      let found = planned.isCopied ? measurement.shownPackets : report.pictures ?? 0
      guard found == expected else {
        throw .failedCheck("\(found) pictures came out instead of \(expected)")
      }
    }
    guard !planned.isCopied else {
      try copiedSound?.verify(knownDamage: report.damagedPackets ?? 0)
      if hasStartCodes, picture != nil { try verifyKeyframes() }
      return
    }
    if picture != nil {
      try verifyKeyframes()
    } else {
      try verifySound(report)
    }
  }

  private func verifyKeyframes() throws(HoldfastError) {
    guard try Decoder.decodeAlone(firstKeyframe, of: output, into: frame),
      try Decoder.decodeAlone(lastKeyframe, of: output, into: frame)
    else {
      throw .failedCheck("its first or last keyframe does not decode")
    }
    let format = AVPixelFormat(rawValue: frame.pointer.pointee.format)
    picture?.pixelFormat = format.name
    picture?.bitDepth = format.bitDepth
  }

  private func verifySound(_ report: ConversionReport) throws(HoldfastError) {
    guard let expected = report.encodedSound, let span else {
      throw .failedCheck("no sound comes out of it")
    }
    guard abs(span.lowerBound - expected.lowerBound) <= tolerance,
      abs(span.upperBound - expected.upperBound) <= tolerance
    else {
      throw .failedCheck("samples \(span) come out instead of \(expected)")
    }
    if let samples, samples.description != report.encodedSamples {
      throw .failedCheck("the samples that come out differ from those that went in")
    }
    if let loudest = report.encodedPeak, loudest > 10 * Self.silence {
      guard Double(peak) > Self.silence else {
        throw .failedCheck("its sound is silent, and the source's is not")
      }
    }
  }

  private func decodeSound(_ packet: UnsafeMutablePointer<AVPacket>?) throws(HoldfastError) {
    guard soundDecoder != nil else { return }
    let isIntact = try soundDecoder?.decode(packet, into: frame.pointer) {
      frame throws(HoldfastError) in
      let rate = AVRational(num: 1, den: frame.pointee.sample_rate)
      let start =
        frame.presentation?.rescaled(from: output.timeBase, to: rate) ?? span?.upperBound ?? 0
      let end = start + Int64(frame.pointee.nb_samples)
      span = min(span?.lowerBound ?? start, start)..<max(span?.upperBound ?? end, end)
      peak = max(peak, frame.peak)
      samples?.add(frame)
    }
    guard isIntact == true else { throw .failedCheck("its sound does not decode") }
  }
}
