internal import CFFmpeg

/// The tables that codecs fill when they are first opened. A process whose copies do one job each fills
/// them once for all: it saves each of them some milliseconds.
enum SharedTables {
  /// What phones record with, and what is made of it.
  private static let decoders = [
    AV_CODEC_ID_AAC, AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MP3, AV_CODEC_ID_OPUS,
  ]

  /// Opens the codecs and closes them again. No file is read and no thread made; a codec that does not
  /// open without a file has filled its tables all the same.
  static func fill() {
    for id in decoders { open(avcodec_find_decoder(id)) { _ in } }
    open(avcodec_find_encoder_by_name(SoundTarget.aacEncoder)) { context in
      context.sample_rate = 48_000
      context.sample_fmt = AV_SAMPLE_FMT_FLTP
      av_channel_layout_default(&context.ch_layout, 2)
      context.time_base = AVRational(num: 1, den: 48_000)
    }
  }

  private static func open(
    _ codec: UnsafePointer<AVCodec>?, _ configure: (inout AVCodecContext) -> Void
  ) {
    guard let codec, let context = avcodec_alloc_context3(codec) else { return }
    defer {
      var context: UnsafeMutablePointer? = context
      avcodec_free_context(&context)
    }
    context.pointee.thread_count = 1
    configure(&context.pointee)
    _ = avcodec_open2(context, codec, nil)
  }
}
