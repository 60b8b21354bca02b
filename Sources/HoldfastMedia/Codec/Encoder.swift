import CFFmpeg
import HoldfastModel

/// An encoder and the output stream that its packets are written to.
final class Encoder {
  let context: UnsafeMutablePointer<AVCodecContext>
  private let stream: UnsafeMutablePointer<AVStream>
  private let packet: Packet
  /// The duration of each frame, by presentation time. Encoders reorder pictures, and libx264 says
  /// that each lasts one tick.
  private var durations: [Int64: Int64] = [:]
  private(set) var packets = 0
  /// The presentation times of the first pictures; see ``correctDecoding(of:)``.
  private var firstTimes: [Int64] = []
  /// A stream of at most this many pictures gets corrected decode times. libx265 (3.5) derives
  /// decode times from the picture that is as far from the first as pictures are reordered, and
  /// gives nonsense if there is none. It reorders by two.
  private static let fewPictures = 4

  /// `configure` sets the format, time base and rate.
  init(
    _ name: String, muxer: Muxer, options: [(String, String)],
    configure: (inout AVCodecContext) -> Void
  ) throws(HoldfastError) {
    packet = try Packet()
    var opening: UnsafeMutablePointer<AVCodecContext>? = try Self.open(
      name, options: options, configure: configure)
    do throws(HoldfastError) {
      let context = try check(opening, "allocate an encoder")
      stream = try muxer.addStream()
      try check(
        avcodec_parameters_from_context(stream.parameters, context), "describe the output")
      if context.pointee.codec_id == AV_CODEC_ID_HEVC {
        stream.parameters.pointee.codec_tag = cff_hvc1
      }
      stream.pointee.time_base = context.pointee.time_base
      stream.pointee.sample_aspect_ratio = context.pointee.sample_aspect_ratio
      stream.pointee.avg_frame_rate = context.pointee.framerate
      self.context = context
    } catch {
      avcodec_free_context(&opening)
      throw error
    }
  }

  /// Opens the encoder called `name`. The caller frees it.
  static func open(
    _ name: String, options: [(String, String)], configure: (inout AVCodecContext) -> Void
  ) throws(HoldfastError) -> UnsafeMutablePointer<AVCodecContext> {
    guard let codec = avcodec_find_encoder_by_name(name) else {
      throw HoldfastError(
        .library, "this FFmpeg has no \(name) encoder; install one that has (Debian's does)")
    }
    let context = try check(avcodec_alloc_context3(codec), "allocate an encoder")
    do throws(HoldfastError) {
      configure(&context.pointee)
      // The .mov keeps the parameter sets in its header.
      context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
      for (key, value) in options {
        try check(av_opt_set(context.pointee.priv_data, key, value, 0), "set \(key) of \(name)")
      }
      try check(avcodec_open2(context, codec, nil), "open the \(name) encoder")
      return context
    } catch {
      release(context) { avcodec_free_context($0) }
      throw error
    }
  }

  deinit { release(context) { avcodec_free_context($0) } }

  func describe(_ mastering: MasteringDisplay) throws(HoldfastError) {
    if let display = mastering.display {
      let value = cff_mastering(display)
      try set(AV_PKT_DATA_MASTERING_DISPLAY_METADATA, to: value)
    }
    if let light = mastering.light {
      try set(
        AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
        to: AVContentLightMetadata(MaxCLL: light[0], MaxFALL: light[1]))
    }
  }

  private func set<Value>(
    _ type: AVPacketSideDataType, to value: Value
  ) throws(HoldfastError) {
    let code = withUnsafeBytes(of: value) { bytes in
      cff_set_stream_side_data(
        stream, type, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    }
    try check(code, "keep the dynamic range")
  }

  /// Encodes a frame and writes the packets that come out. With `nil`, flushes the encoder.
  func encode(_ frame: UnsafeMutablePointer<AVFrame>?, to muxer: Muxer) throws(HoldfastError) {
    if let frame {
      durations[frame.pointee.pts] = frame.duration
      if firstTimes.count <= Self.fewPictures { firstTimes.append(frame.pointee.pts) }
    }
    try muxer.checkCancellation()
    try check(avcodec_send_frame(context, frame), "encode a frame")
    while true {
      try muxer.checkCancellation()
      let code = avcodec_receive_packet(context, packet.pointer)
      if code == cff_error_again || code == cff_error_eof { return }
      try check(code, "encode a frame")
      packets += 1
      if isPriming(packet.pointer) { continue }
      if context.pointee.codec_id == AV_CODEC_ID_HEVC { correctDecoding(of: packet.pointer) }
      let duration = durations.removeValue(forKey: packet.pointer.pointee.pts)
      // For sound, the encoder itself knows how long the last packet is.
      if context.pointee.codec_type == AVMEDIA_TYPE_VIDEO, let duration, duration > 0 {
        packet.pointer.pointee.duration = duration
      }
      packet.pointer.pointee.stream_index = stream.pointee.index
      av_packet_rescale_ts(packet.pointer, context.pointee.time_base, stream.timeBase)
      try muxer.write(packet.pointer)
    }
  }

  /// Corrects a picture's decode time in a stream of few pictures: the last picture is decoded when
  /// the first is presented.
  private func correctDecoding(of packet: UnsafeMutablePointer<AVPacket>) {
    guard firstTimes.count <= Self.fewPictures, let first = firstTimes.first,
      let last = firstTimes.last, firstTimes.indices.contains(packets - 1)
    else { return }
    packet.pointee.dts = firstTimes[packets - 1] - (last - first)
  }

  /// Whether a packet holds only the encoder's priming, and would be heard. If sound starts late,
  /// the output begins with an empty edit, and FFmpeg's muxer does not hide the priming as it does
  /// before 0 (movenc.c, `mov_write_edts_tag`).
  private func isPriming(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    packets == 1 && context.pointee.codec_type == AVMEDIA_TYPE_AUDIO && packet.pointee.pts > 0
      && packet.pointee.duration <= Int64(context.pointee.initial_padding)
  }
}
