import CFFmpeg
import Foundation
import HoldfastModel

/// A `.mov` or `.m4a` being written, with `moov` first. It contains only pictures and sound, their
/// times, how they are shown, and when they were recorded. Where and with what device they were
/// recorded is written only on request.
final class Muxer {
  let context: UnsafeMutablePointer<AVFormatContext>
  private let io: DescriptorIO
  private let writesOrigin: Bool

  enum Kind {
    case movie
    /// A `.mov` with Dolby Vision, or one that says how its picture surrounds the viewer.
    ///
    /// FFmpeg's mov muxer does not write `dvvC`, `st3d` and `sv3d`. Its mp4 muxer does (movenc.c,
    /// `mov_write_video_tag`). That muxer also writes `colr` as `nclx`, and the boxes of ISO/IEC
    /// 14496-12, which come from QuickTime's. With QuickTime's brand, players treat the file as the
    /// `.mov` that its name promises. The names of its handlers are left empty. One format has
    /// counted strings there, the other has zero-ended ones, and an empty string is the same in
    /// both.
    case describedMovie
    /// An `.m4a`.
    case sound

    init(for plan: ConversionPlan, from source: borrowing Demuxer) throws(HoldfastError) {
      guard let video = plan.video else {
        self = .sound
        return
      }
      let stream = try source.stream(at: video.index)
      let isDescribed = Self.describing.contains { stream.sideData($0) != nil }
      self = video.isCopied && isDescribed ? .describedMovie : .movie
    }

    private static let describing = [
      AV_PKT_DATA_DOVI_CONF, AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_STEREO3D,
    ]

    /// FFmpeg's name for the format. "ipod" is its name for `.m4a`.
    fileprivate var format: String {
      switch self {
      case .movie: "mov"
      case .describedMovie: "mp4"
      case .sound: "ipod"
      }
    }
  }

  private let kind: Kind
  private let output: OpenMedia
  private let call: RunningCall
  private var tail: PictureTail?
  /// The names of tracks' sample entries, where FFmpeg would write other names.
  var names: [Int: String] = [:]

  init(
    _ output: OpenMedia, kind: Kind, creationTime: Date?, origin: OriginTags? = nil,
    call: RunningCall
  ) throws(HoldfastError) {
    self.kind = kind
    self.output = output
    self.call = call
    writesOrigin = origin?.tags.isEmpty == false
    io = try DescriptorIO(output, isWritable: true, call: call)
    var opening: UnsafeMutablePointer<AVFormatContext>?
    try check(
      avformat_alloc_output_context2(&opening, nil, kind.format, nil), "open the output")
    context = try check(opening, "open the output")
    context.pointee.pb = io.context
    // Bit-exact output does not name the library's version. The catalog records what made the file.
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
    cff_open_output_only(context, io.file)
    if let creationTime {
      let text = creationTime.formatted(
        Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt))
      av_dict_set(&context.pointee.metadata, "creation_time", text, 0)
    }
    // In one order, because a dictionary's differs from process to process.
    for (key, value) in (origin?.tags ?? [:]).sorted(by: { $0.key < $1.key }) {
      av_dict_set(&context.pointee.metadata, key, value, 0)
    }
  }

  deinit { avformat_free_context(context) }

  func addStream() throws(HoldfastError) -> UnsafeMutablePointer<AVStream> {
    try check(avformat_new_stream(context, nil), "add a stream")
  }

  func writeHeader() throws(HoldfastError) {
    var options: OpaquePointer?
    // QuickTime's metadata keys ("mdta") hold names of any length, and Apple's software reads these
    // first. Without the flag, the muxer writes only the few tags that it has boxes for.
    let flags = writesOrigin ? "+faststart+use_metadata_tags" : "+faststart"
    av_dict_set(&options, "movflags", flags, 0)
    if kind == .describedMovie {
      av_dict_set(&options, "brand", "qt  ", 0)
      av_dict_set(&options, "empty_hdlr_name", "1", 0)
      // The boxes for Dolby Vision and for spherical and stereo video are not in the ISO standard.
      av_dict_set(&options, "strict", "unofficial", 0)
    }
    av_dict_set_int(&options, "movie_timescale", movieTimescale, 0)
    defer { av_dict_free(&options) }
    try verify(avformat_write_header(context, &options), "write the header")
  }

  /// Ticks per second of the file's own clock, in which the late start of a stream is written. It
  /// is fine enough for every stream's clock. In FFmpeg's thousandths, sound and picture would
  /// shift.
  private var movieTimescale: Int64 {
    var common: Int64 = 1
    for stream in context.streams {
      let parameters = stream.parameters.pointee
      let ticks =
        parameters.codec_type == AVMEDIA_TYPE_AUDIO
        ? Int64(parameters.sample_rate) : Int64(stream.timeBase.den)
      guard ticks > 0 else { continue }
      common = common / av_gcd(common, ticks) * ticks
    }
    // 32 bits must hold 120 s of ticks, with room to spare.
    return common <= 10_000_000 ? max(common, 1000) : 1_000_000
  }

  /// Throws if the call was cancelled. An encoder takes long over its last frames, and neither
  /// reads nor writes meanwhile.
  func checkCancellation() throws(HoldfastError) {
    if call.isCancelled { throw .cancelled }
  }

  /// Ends a stream's pictures at a time on the output's clock, in seconds. Call it after the header
  /// is written.
  func endPictures(of stream: UnsafeMutablePointer<AVStream>, at end: Double) throws(HoldfastError)
  {
    tail = try PictureTail(stream, end: end)
  }

  /// Ends the pictures earlier than ``endPictures(of:at:)`` was told.
  func shortenPictures(to end: Double) { tail?.shorten(to: end) }

  /// Writes a packet. The muxer owns its content from then on, even if writing fails.
  func write(_ packet: UnsafeMutablePointer<AVPacket>) throws(HoldfastError) {
    if let tail, tail.stream == packet.pointee.stream_index {
      guard try tail.exchange(packet) else { return }
    }
    try verify(av_interleaved_write_frame(context, packet), "write a packet")
    call.step()
  }

  /// Writes the index and moves it to the front. Until then the file is not complete.
  func finish() throws(HoldfastError) {
    if let last = tail?.last() {
      try verify(av_interleaved_write_frame(context, last), "write a packet")
    }
    try verify(av_write_trailer(context), "write the index")
    avio_flush(io.context)
    if let error = io.systemError { throw error }
    let index = MovieIndex(output)
    if let tail, tail.muxedEnd != tail.end,
      let stream = context.pointee.streams[Int(tail.stream)]
    {
      try index.end(track: Int(tail.stream), at: Double(tail.end) * stream.timeBase.seconds)
    }
    for (track, name) in names { try index.name(name, ofTrack: track) }
  }

  private func verify(_ code: CInt, _ operation: String) throws(HoldfastError) {
    if let error = io.systemError { throw error }
    if code == cff_error_exit { throw .cancelled }
    try check(code, operation)
  }
}
