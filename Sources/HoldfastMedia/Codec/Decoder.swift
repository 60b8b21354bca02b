import CFFmpeg
import HoldfastModel

struct Decoder: ~Copyable {
  /// The most failures of a decoder while it gives out its last frames. It holds fewer frames than
  /// that.
  private static let mostFailures = 256

  let context: UnsafeMutablePointer<AVCodecContext>
  /// The AMR frame types that hold no speech. FFmpeg's decoder calls them damaged.
  private let silentTypes: Set<UInt8>
  /// The longest such frame, in bytes: a type, then comfort noise.
  private static let longestSilence: CInt = 6

  /// - Parameters:
  ///   - threads: How many threads decode; 0 for as many as there are cores.
  ///   - deblocks: Whether to smooth the edges of blocks, which takes a quarter of a keyframe's
  ///     time. A keyframe is complete without it: within a picture, prediction uses the samples
  ///     from before the smoothing (ITU-T H.264 8.3, H.265 8.4). Pictures that refer to others come
  ///     out wrong without it.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, threads: CInt, checksChecksums: Bool = false,
    deblocks: Bool = true
  ) throws(HoldfastError) {
    let parameters = stream.parameters
    silentTypes = Self.silentTypes(of: parameters.pointee.codec_id)
    let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
    guard
      let codec = Self.alphaDecoder(of: stream) ?? avcodec_find_decoder(parameters.pointee.codec_id)
    else {
      throw HoldfastError(.nothingToPlay, "no decoder for \(name)")
    }
    var opening: UnsafeMutablePointer<AVCodecContext>? = try check(
      avcodec_alloc_context3(codec), "allocate a decoder")
    do throws(HoldfastError) {
      let context = try check(opening, "allocate a decoder")
      try check(
        avcodec_parameters_to_context(context, parameters), "set up the decoder for \(name)")
      context.pointee.pkt_timebase = stream.timeBase
      context.pointee.thread_count = threads
      if checksChecksums {
        context.pointee.err_recognition |= AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER
      }
      // Otherwise FFmpeg cuts less off the left side than the stream says, so that rows stay
      // aligned.
      context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
      if !deblocks { context.pointee.skip_loop_filter = AVDISCARD_ALL }
      context.pointee.max_pixels = Int64(PictureLimit.pixels)
      try check(avcodec_open2(context, codec, nil), "open the decoder for \(name)")
      self.context = context
    } catch {
      avcodec_free_context(&opening)
      throw error
    }
  }

  deinit { release(context) { avcodec_free_context($0) } }

  /// Returns the decoder for VP8 and VP9 that have transparency, which is a second picture beside
  /// each packet. FFmpeg's own decoders ignore it; libvpx's decoders read it. Returns `nil` for
  /// other streams.
  private static func alphaDecoder(
    of stream: UnsafeMutablePointer<AVStream>
  ) -> UnsafePointer<AVCodec>? {
    guard let mode = av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0),
      String(cString: mode.pointee.value) == "1"
    else { return nil }
    switch stream.parameters.pointee.codec_id {
    case AV_CODEC_ID_VP8: return avcodec_find_decoder_by_name("libvpx")
    case AV_CODEC_ID_VP9: return avcodec_find_decoder_by_name("libvpx-vp9")
    default: return nil
    }
  }

  /// Returns the AMR frame types with which a phone marks silence: comfort noise and no data (3GPP
  /// TS 26.101 and 26.201, table 1a).
  private static func silentTypes(of codec: AVCodecID) -> Set<UInt8> {
    switch codec {
    case AV_CODEC_ID_AMR_NB: [8, 9, 10, 11, 15]
    case AV_CODEC_ID_AMR_WB: [9, 14, 15]
    default: []
    }
  }

  /// Fills `frame` with the silence that a packet stands for: 20 ms, as long as every AMR frame.
  private func makeSilence(
    for packet: UnsafeMutablePointer<AVPacket>, in frame: UnsafeMutablePointer<AVFrame>
  ) throws(HoldfastError) {
    let format = context.pointee.sample_fmt
    let channels = context.pointee.ch_layout.nb_channels
    frame.pointee.format = format.rawValue
    frame.pointee.sample_rate = context.pointee.sample_rate
    frame.pointee.nb_samples = context.pointee.sample_rate / 50
    frame.pointee.pts = packet.pointee.pts
    try check(
      av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout), "make silence")
    try check(av_frame_get_buffer(frame, 0), "make silence")
    try check(
      av_samples_set_silence(
        frame.pointee.extended_data, 0, frame.pointee.nb_samples, channels, format), "make silence")
  }

  /// Whether a packet stands for silence and holds no sound to decode.
  func isSilence(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    // A longer packet holds several frames, and some of them may be speech.
    guard !silentTypes.isEmpty, 1...Self.longestSilence ~= packet.pointee.size else { return false }
    return silentTypes.contains(packet.pointee.data[0] >> 3 & 0xF)
  }

  /// Copies the decoder's findings about the stream to `parameters`.
  func describe(into parameters: UnsafeMutablePointer<AVCodecParameters>) throws(HoldfastError) {
    try check(avcodec_parameters_from_context(parameters, context), "describe a stream")
  }

  /// Sends a packet (or `nil` at the end) and passes each frame that comes out to `body`. Returns
  /// whether the packet decoded without an error. If not, only that packet is lost.
  func decode(
    _ packet: UnsafeMutablePointer<AVPacket>?, into frame: UnsafeMutablePointer<AVFrame>,
    _ body: FrameHandler
  ) throws(HoldfastError) -> Bool {
    if let packet, isSilence(packet) {
      try makeSilence(for: packet, in: frame)
      defer { av_frame_unref(frame) }
      try body(frame)
      return true
    }
    var isIntact = true
    var isSent = false
    var failures = 0
    while !isSent {
      let sent = avcodec_send_packet(context, packet)
      // The decoder is full: take frames out, then send the same packet again.
      isSent = sent != cff_error_again
      if sent < 0, isSent, sent != cff_error_eof { isIntact = false }
      var isStuck = !isSent
      while true {
        let received = avcodec_receive_frame(context, frame)
        if received == cff_error_again || received == cff_error_eof { break }
        if received < 0 {
          isIntact = false
          failures += 1
          // At the end, good pictures may follow a damaged one. Before the end, the next packet
          // fetches them.
          if packet == nil, failures < Self.mostFailures { continue }
          break
        }
        defer { av_frame_unref(frame) }
        isStuck = false
        try body(frame)
      }
      // The decoder accepts no packet and gives no frame. Drop the packet instead of trying for
      // ever.
      if isStuck { return false }
    }
    return isIntact
  }
}

extension Decoder {
  /// Decodes one packet on its own, without the packets before and after it. Returns whether a
  /// frame came out.
  func decodeAlone(_ packet: borrowing Packet, into frame: borrowing Frame) -> Bool {
    avcodec_flush_buffers(context)
    context.pointee.flags2 |= AV_CODEC_FLAG2_SHOW_ALL
    defer {
      context.pointee.flags2 &= ~AV_CODEC_FLAG2_SHOW_ALL
      // After the end of a stream, a decoder accepts packets again only once it is flushed.
      avcodec_flush_buffers(context)
    }
    guard avcodec_send_packet(context, packet.pointer) >= 0 else { return false }
    avcodec_send_packet(context, nil)
    return avcodec_receive_frame(context, frame.pointer) >= 0
  }

  /// Decodes one packet on its own, with a new decoder. Returns whether a frame came out.
  static func decodeAlone(
    _ packet: borrowing Packet, of stream: UnsafeMutablePointer<AVStream>,
    into frame: borrowing Frame
  ) throws(HoldfastError) -> Bool {
    try Decoder(stream, threads: 1).decodeAlone(packet, into: frame)
  }
}
