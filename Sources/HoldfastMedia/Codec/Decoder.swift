internal import CFFmpeg
internal import HoldfastModel

/// A decoder of one stream.
struct Decoder: ~Copyable {
  /// How often a decoder may fail while it gives out its last frames; it holds fewer than that.
  private static let mostFailures = 256

  let context: UnsafeMutablePointer<AVCodecContext>
  /// The frame types of AMR that hold no speech, which FFmpeg's decoder calls damaged.
  private let silentTypes: Set<UInt8>
  /// How long such a frame is at most, in bytes: comfort noise, after its type.
  private static let longestSilence: CInt = 6

  /// Opens a decoder for a stream.
  ///
  /// - Parameters:
  ///   - stream: The stream whose packets will be sent.
  ///   - threads: How many threads decode; 0 for as many as there are cores.
  ///   - checksChecksums: Whether checksums in the stream are compared, where it has any.
  ///   - deblocks: Whether the edges of blocks are smoothed, which takes a quarter of a keyframe's time.
  ///     A keyframe is whole without it: what is predicted within a picture is predicted from what was
  ///     there before (ITU-T H.264 8.3, H.265 8.4). Pictures that need others are not.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, threads: CInt, checksChecksums: Bool = false,
    deblocks: Bool = true
  ) throws(MediaError) {
    let parameters = stream.parameters
    silentTypes = Self.silentTypes(of: parameters.pointee.codec_id)
    let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
    guard
      let codec = Self.alphaDecoder(of: stream) ?? avcodec_find_decoder(parameters.pointee.codec_id)
    else {
      throw MediaError(.nothingToPlay, "no decoder for \(name)")
    }
    var opening: UnsafeMutablePointer<AVCodecContext>? = try check(
      avcodec_alloc_context3(codec), "allocate a decoder")
    do throws(MediaError) {
      let context = try check(opening, "allocate a decoder")
      try check(
        avcodec_parameters_to_context(context, parameters), "set up the decoder for \(name)")
      context.pointee.pkt_timebase = stream.timeBase
      context.pointee.thread_count = threads
      if checksChecksums {
        context.pointee.err_recognition |= AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER
      }
      if !deblocks { context.pointee.skip_loop_filter = AVDISCARD_ALL }
      context.pointee.max_pixels = Int64(PictureLimit.pixels)
      try check(avcodec_open2(context, codec, nil), "open the decoder for \(name)")
      self.context = context
    } catch {
      avcodec_free_context(&opening)
      throw error
    }
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
  }

  /// The decoder for VP8 and VP9 whose transparency is a second picture beside each packet: FFmpeg's
  /// own decoders know nothing of it, those of libvpx do.
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

  /// The frame types of AMR by which a phone says that nobody speaks: comfort noise and no data
  /// (3GPP TS 26.101 and 26.201, table 1a).
  private static func silentTypes(of codec: AVCodecID) -> Set<UInt8> {
    switch codec {
    case AV_CODEC_ID_AMR_NB: [8, 9, 10, 11, 15]
    case AV_CODEC_ID_AMR_WB: [9, 14, 15]
    default: []
    }
  }

  /// Makes the frame of a packet that says that there is silence: 20 ms, like all of AMR.
  private func makeSilence(
    for packet: UnsafeMutablePointer<AVPacket>, in frame: UnsafeMutablePointer<AVFrame>
  ) throws(MediaError) {
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

  /// Whether a packet says that there is silence, and holds no sound to decode.
  func isSilence(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    // A longer packet holds several frames, of which others may be speech.
    guard !silentTypes.isEmpty, 1...Self.longestSilence ~= packet.pointee.size else { return false }
    return silentTypes.contains(packet.pointee.data[0] >> 3 & 0xF)
  }

  /// Says of a stream what decoding it has shown.
  func describe(into parameters: UnsafeMutablePointer<AVCodecParameters>) throws(MediaError) {
    try check(avcodec_parameters_from_context(parameters, context), "describe a stream")
  }

  /// Sends a packet (or `nil` at the end) and hands each frame that comes out to `body`.
  ///
  /// - Returns: Whether the decoder took the packet; a damaged one is its loss alone.
  func decode(
    _ packet: UnsafeMutablePointer<AVPacket>?, into frame: UnsafeMutablePointer<AVFrame>,
    _ body: (UnsafeMutablePointer<AVFrame>) throws(MediaError) -> Void
  ) throws(MediaError) -> Bool {
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
          // At the end good pictures may stand behind a damaged one; before, the next packet calls.
          if packet == nil, failures < Self.mostFailures { continue }
          break
        }
        defer { av_frame_unref(frame) }
        isStuck = false
        try body(frame)
      }
      // It takes nothing and gives nothing: the packet is lost, and not tried for ever.
      if isStuck { return false }
    }
    return isIntact
  }
}

extension Decoder {
  /// Decodes one packet with nothing before or after it.
  ///
  /// - Returns: Whether a frame came out of it.
  func decodeAlone(_ packet: borrowing Packet, into frame: borrowing Frame) -> Bool {
    avcodec_flush_buffers(context)
    context.pointee.flags2 |= AV_CODEC_FLAG2_SHOW_ALL
    defer {
      context.pointee.flags2 &= ~AV_CODEC_FLAG2_SHOW_ALL
      // At its end a decoder takes nothing more until it has forgotten all.
      avcodec_flush_buffers(context)
    }
    guard avcodec_send_packet(context, packet.pointer) >= 0 else { return false }
    avcodec_send_packet(context, nil)
    return avcodec_receive_frame(context, frame.pointer) >= 0
  }

  /// Decodes one packet with nothing before or after it, with a decoder of its own.
  ///
  /// - Returns: Whether a frame came out of it.
  static func decodeAlone(
    _ packet: borrowing Packet, of stream: UnsafeMutablePointer<AVStream>,
    into frame: borrowing Frame
  ) throws(MediaError) -> Bool {
    try Decoder(stream, threads: 1).decodeAlone(packet, into: frame)
  }
}
