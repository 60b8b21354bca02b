import CFFmpeg
import HoldfastModel

/// The handling of one stream's packets on their way into the output.
protocol StreamConversion: AnyObject {
  /// Whether the plan's stretch of the source is over: no later packet belongs to it.
  var isDone: Bool { get }
  func add(_ packet: UnsafeMutablePointer<AVPacket>) throws(HoldfastError)
  /// Flushes decoders, filters and encoders. It is called once, after the last packet.
  func finish() throws(HoldfastError)
  func describe(in report: inout ConversionReport)
}

extension ConversionReport {
  /// Adds warnings about damage: packets that could not be decoded, and frames that the decoder had
  /// to make up in part. The kind is `picture` or `sound`.
  mutating func noteDamage(packets: Int, frames: Int, of kind: String) {
    if packets > 0 {
      warnings.append("\(packets.counted("packet")) of the \(kind) could not be decoded")
    }
    if frames > 0 { warnings.append("\(frames.counted("frame")) of the \(kind) came out damaged") }
    let lost = packets + frames
    if lost > 0 { damagedPackets = (damagedPackets ?? 0) + lost }
  }
}

/// Copies a stream's packets as they are, moved to the output's clock.
final class StreamCopy: StreamConversion {
  /// The most packets that may be held back: a group of pictures, and those of it that a phone
  /// hides.
  private static let mostUnshown = 2000

  private let muxer: Muxer
  private let input: UnsafeMutablePointer<AVStream>
  private let output: UnsafeMutablePointer<AVStream>
  private let stretch: StreamStretch
  private let decodingShift: Int64
  /// When the sound of an MP4 ends, in ticks of the source; `nil` for any other stream.
  private let heardUntil: Int64?
  /// The longest duration of a packet so far.
  private var longest: Int64 = 0
  private var selection: PacketSelection
  /// Corrects the times of sound; `nil` before the first packet, and if the times are exact.
  private var clock: FrameClock?
  private var packets = 0
  /// The number of packets that the container calls damaged, and of sound those that do not decode.
  private var damagedPackets = 0
  /// Whether the first packet needs others to be decoded that are missing.
  private var beginsInTheMiddle = false
  /// Packets that are not shown, held back until a packet that is shown needs them.
  private var unshown: [UnsafeMutablePointer<AVPacket>] = []

  init(
    _ input: UnsafeMutablePointer<AVStream>, from source: borrowing Demuxer, _ plan: ConversionPlan,
    to muxer: Muxer
  ) throws(HoldfastError) {
    self.input = input
    self.muxer = muxer
    stretch = StreamStretch(plan, timeBase: input.timeBase)
    selection = PacketSelection(stretch, of: input)
    let end = plan.audio?.index == input.index ? plan.audio?.shownUntil : nil
    heardUntil = end.map { Int64(min($0 / input.timeBase.seconds, 0x1p56).rounded()) }
    decodingShift = plan.video?.index == input.index ? plan.video?.decodingShift ?? 0 : 0
    output = try muxer.addStream()
    try check(
      avcodec_parameters_copy(output.parameters, input.parameters), "describe the output")
    cff_clear_stream_side_data(output)
    // Apple players accept HEVC only with its parameter sets in the header: hvc1, not hev1. Other
    // tags belong to the source's container, and the muxer knows its own.
    output.parameters.pointee.codec_tag =
      input.parameters.pointee.codec_id == AV_CODEC_ID_HEVC
      ? cff_hvc1 : 0
    if DolbyVision(of: input)?.isProfile5 == true { muxer.names[output.index] = "dvh1" }
    output.pointee.time_base = input.timeBase
    output.pointee.avg_frame_rate = input.pointee.avg_frame_rate
    let aspect = av_guess_sample_aspect_ratio(source.context, input, nil)
    output.pointee.sample_aspect_ratio = aspect
    output.parameters.pointee.sample_aspect_ratio = aspect
    for type in Self.keptSideData {
      guard let data = input.sideData(type) else { continue }
      // A matrix that makes the picture invisible does not turn it, so it is not written.
      if type == AV_PKT_DATA_DISPLAYMATRIX, input.displayMatrix?.isDegenerate != false { continue }
      try check(
        cff_set_stream_side_data(output, type, data.baseAddress, data.count),
        "keep the orientation and the dynamic range")
    }
  }

  /// The side data about how a stream is shown: its orientation, its dynamic range, and how it
  /// surrounds the viewer.
  private static let keptSideData = [
    AV_PKT_DATA_DISPLAYMATRIX, AV_PKT_DATA_DOVI_CONF, AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
    AV_PKT_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_STEREO3D,
  ]

  deinit { releaseUnshown() }

  private func releaseUnshown() {
    for packet in unshown { release(packet) { av_packet_free($0) } }
    unshown = []
  }

  var isDone: Bool { selection.isOver }

  func add(_ packet: UnsafeMutablePointer<AVPacket>) throws(HoldfastError) {
    guard selection.includes(packet) else { return }
    if packet.isDiscarded {
      guard unshown.count < Self.mostUnshown else {
        throw HoldfastError(.library, "an edit list hides more than \(Self.mostUnshown) packets")
      }
      unshown.append(try check(av_packet_clone(packet), "hold a packet back"))
      return
    }
    // If sound starts late, the muxer hides nothing, and sound that was cut off would be heard.
    let isLate = packets == 0 && (packet.presentation ?? 0) > stretch.zero
    if !isLate || input.parameters.pointee.codec_type != AVMEDIA_TYPE_AUDIO {
      for held in unshown { try write(held) }
    }
    releaseUnshown()
    try write(packet)
  }

  private func write(_ packet: UnsafeMutablePointer<AVPacket>) throws(HoldfastError) {
    // The muxer chose the output's clock when it wrote the header.
    if packets == 0 {
      clock = FrameClock(of: input.parameters, from: input.timeBase, to: output.timeBase)
      beginsInTheMiddle = !packet.isKeyframe
    }
    packets += 1
    if packet.isCorrupt, try !decodes(packet) { damagedPackets += 1 }
    if let time = packet.presentation {
      packet.pointee.duration = stretch.duration(packet.duration, at: time)
      // The last packet ends with the sound.
      longest = max(longest, packet.duration)
      if let heardUntil, (1...max(1, longest)).contains(heardUntil - time) {
        packet.pointee.duration = heardUntil - time
      }
    }
    packet.pointee.pts = packet.presentation.map { $0 - stretch.zero } ?? cff_no_pts
    packet.pointee.dts = packet.decoding.map { $0 - stretch.zero - decodingShift } ?? cff_no_pts
    if decodingShift == 0, let time = packet.presentation, time == packet.decoding,
      let place = clock?.place(time, duration: packet.duration)
    {
      (packet.pointee.pts, packet.pointee.dts) = (place.start, place.start)
      packet.pointee.duration = place.length
    } else {
      av_packet_rescale_ts(packet, input.timeBase, output.timeBase)
    }
    packet.pointee.stream_index = output.pointee.index
    packet.pointee.pos = -1
    try muxer.write(packet)
  }

  /// Whether a packet of sound decodes although the container calls it damaged, as where two
  /// transport streams were joined.
  private func decodes(_ packet: UnsafeMutablePointer<AVPacket>) throws(HoldfastError) -> Bool {
    guard input.parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO else { return false }
    let frame = try Frame()
    return try Decoder(input, threads: 1).decode(packet, into: frame.pointer) { _ in }
  }

  /// Does nothing. Packets that are still held back come after everything that is shown, and are
  /// left out.
  func finish() {}

  func describe(in report: inout ConversionReport) {
    let isVideo = input.parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    if isVideo { report.pictures = packets }
    if isVideo, beginsInTheMiddle {
      report.warnings.append(
        "its first picture is not a keyframe: players show nothing, or a broken picture, until the "
          + "next")
    }
    report.noteDamage(packets: 0, frames: damagedPackets, of: isVideo ? "picture" : "sound")
  }
}
