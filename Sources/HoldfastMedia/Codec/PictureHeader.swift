import CFFmpeg
import HoldfastModel

/// Reads what H.264 and HEVC say about their pictures in their own headers: the profile and pixel
/// format, and for HEVC also the colours. Nothing is decoded.
enum PictureHeader {
  /// Describes a stream in its parameters by its first packet and the parameter sets in its header.
  /// Returns whether these can be read.
  static func describe(
    _ stream: UnsafeMutablePointer<AVStream>, by packet: UnsafeMutablePointer<AVPacket>
  ) throws(HoldfastError) -> Bool {
    // FFmpeg's HEVC decoder reads the header's parameter sets when it opens. Its H.264 decoder
    // reads them only when it decodes.
    guard stream.parameters.pointee.codec_id == AV_CODEC_ID_H264 else {
      guard let decoder = try? Decoder(stream, threads: 1) else { return false }
      try decoder.describe(into: stream.parameters)
      return true
    }
    var context: UnsafeMutablePointer<AVCodecContext>? = try check(
      avcodec_alloc_context3(nil), "allocate a parser's context")
    defer { avcodec_free_context(&context) }
    try check(
      avcodec_parameters_to_context(context, stream.parameters), "set up the parser for h264")
    let parser = try check(cff_parser_init(AV_CODEC_ID_H264), "allocate a parser")
    defer { av_parser_close(parser) }
    parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    var output: UnsafeMutablePointer<UInt8>?
    var size: CInt = 0
    av_parser_parse2(
      parser, context, &output, &size, packet.pointee.data, packet.pointee.size,
      packet.pointee.pts, packet.pointee.dts, packet.pointee.pos)
    guard let context else { return false }
    stream.parameters.pointee.profile = context.pointee.profile
    stream.parameters.pointee.level = context.pointee.level
    if parser.pointee.format >= 0 { stream.parameters.pointee.format = parser.pointee.format }
    return true
  }
}
