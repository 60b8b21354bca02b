import CFFmpeg
import HoldfastModel

/// Cuts sound into frames of the length that an encoder wants. Only the last frame may be shorter.
final class SoundFrames {
  private let encoder: UnsafeMutablePointer<AVCodecContext>
  private let fifo: OpaquePointer
  private let frame: Frame
  /// When the first sample in the queue is presented, in samples.
  private var time: Int64?

  /// Creates a queue for an encoder, which must outlive it.
  init(for encoder: UnsafeMutablePointer<AVCodecContext>) throws(HoldfastError) {
    self.encoder = encoder
    frame = try Frame()
    fifo = try check(
      av_audio_fifo_alloc(
        encoder.pointee.sample_fmt, encoder.pointee.ch_layout.nb_channels,
        encoder.pointee.frame_size),
      "queue sound")
  }

  deinit { av_audio_fifo_free(fifo) }

  /// Adds samples to the queue and passes each complete frame to `body`.
  func add(_ samples: UnsafeMutablePointer<AVFrame>, _ body: FrameHandler) throws(HoldfastError) {
    time = time ?? samples.presentation ?? 0
    try bridge(to: samples.presentation, body)
    try write(samples, body)
  }

  /// Fills a gap with silence. The filters do so themselves. But they are rebuilt if the sound
  /// changes its format, and then know nothing of earlier sound.
  private func bridge(to next: Int64?, _ body: FrameHandler) throws(HoldfastError) {
    let rate = Double(encoder.pointee.sample_rate)
    let end = (time ?? 0) + Int64(av_audio_fifo_size(fifo))
    guard var gap = next.map({ $0 - end }), Double(gap) > SoundEncode.mostDrift * rate,
      Double(gap) <= RecordingLimit.longest * rate
    else { return }
    let silence = try Frame()
    try describe(silence.pointer, samples: encoder.pointee.frame_size)
    try check(
      av_samples_set_silence(
        silence.pointer.pointee.extended_data, 0, encoder.pointee.frame_size,
        encoder.pointee.ch_layout.nb_channels, encoder.pointee.sample_fmt), "queue silence")
    while gap > 0 {
      silence.pointer.pointee.nb_samples = CInt(min(gap, Int64(encoder.pointee.frame_size)))
      gap -= Int64(silence.pointer.pointee.nb_samples)
      try write(silence.pointer, body)
    }
  }

  private func write(
    _ samples: UnsafeMutablePointer<AVFrame>, _ body: FrameHandler
  ) throws(HoldfastError) {
    try check(
      av_audio_fifo_write(fifo, samples.rawPlanes, samples.pointee.nb_samples), "queue sound")
    while av_audio_fifo_size(fifo) >= encoder.pointee.frame_size {
      try handOut(encoder.pointee.frame_size, body)
    }
  }

  /// Passes the rest of the queue to `body`, as a shorter frame.
  func finish(_ body: FrameHandler) throws(HoldfastError) {
    let rest = av_audio_fifo_size(fifo)
    if rest > 0 { try handOut(rest, body) }
  }

  private func handOut(_ count: CInt, _ body: FrameHandler) throws(HoldfastError) {
    let samples = frame.pointer
    defer { av_frame_unref(samples) }
    try describe(samples, samples: count)
    try check(av_audio_fifo_read(fifo, samples.rawPlanes, count), "queue sound")
    samples.pointee.pts = time ?? 0
    time = (time ?? 0) + Int64(count)
    try body(samples)
  }

  /// Allocates a frame for samples in the encoder's format.
  private func describe(
    _ frame: UnsafeMutablePointer<AVFrame>, samples count: CInt
  ) throws(HoldfastError) {
    frame.pointee.format = encoder.pointee.sample_fmt.rawValue
    frame.pointee.sample_rate = encoder.pointee.sample_rate
    frame.pointee.nb_samples = count
    try check(
      av_channel_layout_copy(&frame.pointee.ch_layout, &encoder.pointee.ch_layout), "queue sound")
    try check(av_frame_get_buffer(frame, 0), "queue sound")
  }
}

extension UnsafeMutablePointer where Pointee == AVFrame {
  /// The planes of sound, as the queue's C functions want them.
  fileprivate var rawPlanes: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    // SAFETY: an array of `uint8_t *` and one of `void *` have the same layout; the functions copy
    // bytes and keep nothing.
    UnsafeMutableRawPointer(pointee.extended_data)
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}
