import CFFmpeg

/// The tables that codecs fill when they are first opened. A process that forks a copy of itself
/// for each job fills them once, which saves each copy some milliseconds.
enum SharedTables {
  /// Codecs that phones record with, or that recordings are converted to.
  private static let decoders = [
    AV_CODEC_ID_AAC, AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MP3, AV_CODEC_ID_OPUS,
  ]

  /// Opens each codec and closes it again. No file is read and no thread is started. A codec that
  /// does not open without a file has still filled its tables.
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
