import CFFmpeg
import HoldfastModel

/// Encodes sound only to measure how loud it is when decoded again.
final class EncodingTrial {
  private let encoder: UnsafeMutablePointer<AVCodecContext>
  private let decoder: UnsafeMutablePointer<AVCodecContext>
  private let frames: SoundFrames
  private let packet: Packet
  private let decoded: Frame
  private let filtered: Frame
  private let sampleRate: CInt
  private var filters: FilterGraph?
  private var peak: Float = 0

  init(_ target: SoundTarget) throws(HoldfastError) {
    packet = try Packet()
    decoded = try Frame()
    filtered = try Frame()
    sampleRate = target.sampleRate
    var encoder: UnsafeMutablePointer<AVCodecContext>? = try Encoder.open(
      target.encoder, options: []
    ) { target.configure(&$0) }
    var decoder: UnsafeMutablePointer<AVCodecContext>?
    do throws(HoldfastError) {
      let opened = try check(encoder, "allocate an encoder")
      decoder = try Self.decoder(of: opened)
      frames = try SoundFrames(for: opened)
      self.encoder = opened
      self.decoder = try check(decoder, "allocate a decoder")
    } catch {
      avcodec_free_context(&encoder)
      avcodec_free_context(&decoder)
      throw error
    }
  }

  deinit {
    for context in [encoder, decoder] { release(context) { avcodec_free_context($0) } }
  }

  private static func decoder(
    of encoder: UnsafeMutablePointer<AVCodecContext>
  ) throws(HoldfastError) -> UnsafeMutablePointer<AVCodecContext> {
    var parameters = avcodec_parameters_alloc()
    defer { avcodec_parameters_free(&parameters) }
    let codec = avcodec_find_decoder(encoder.pointee.codec_id)
    let decoder = try check(avcodec_alloc_context3(codec), "allocate a decoder")
    do throws(HoldfastError) {
      try check(avcodec_parameters_from_context(parameters, encoder), "describe the sound")
      try check(avcodec_parameters_to_context(decoder, parameters), "set up a decoder")
      decoder.pointee.pkt_timebase = encoder.pointee.time_base
      try check(avcodec_open2(decoder, codec, nil), "open a decoder")
      return decoder
    } catch {
      release(decoder) { avcodec_free_context($0) }
      throw error
    }
  }

  func add(_ samples: UnsafeMutablePointer<AVFrame>) throws(HoldfastError) {
    try frames.add(samples, encode)
  }

  /// Encodes the rest and returns the true peak of everything.
  func finish() throws(HoldfastError) -> Float {
    try frames.finish(encode)
    try encode(nil)
    try decode(nil)
    try filters?.filter(nil, into: filtered.pointer, note)
    return peak
  }

  private func encode(_ frame: UnsafeMutablePointer<AVFrame>?) throws(HoldfastError) {
    try check(avcodec_send_frame(encoder, frame), "encode a frame")
    while true {
      let code = avcodec_receive_packet(encoder, packet.pointer)
      if code == cff_error_again || code == cff_error_eof { return }
      try check(code, "encode a frame")
      defer { av_packet_unref(packet.pointer) }
      try decode(packet.pointer)
    }
  }

  private func decode(_ packet: UnsafeMutablePointer<AVPacket>?) throws(HoldfastError) {
    try check(avcodec_send_packet(decoder, packet), "decode a frame")
    while true {
      let code = avcodec_receive_frame(decoder, decoded.pointer)
      if code == cff_error_again || code == cff_error_eof { return }
      try check(code, "decode a frame")
      if filters == nil {
        filters = try FilterGraph(
          TruePeak.oversampled(sampleRate: sampleRate), for: decoded.pointer,
          timeBase: AVRational(num: 1, den: sampleRate))
      }
      try filters?.filter(decoded.pointer, into: filtered.pointer, note)
    }
  }

  private func note(_ frame: UnsafeMutablePointer<AVFrame>) { peak = max(peak, frame.peak) }
}
