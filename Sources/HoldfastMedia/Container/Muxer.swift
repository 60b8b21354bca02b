internal import CFFmpeg
internal import Foundation
internal import HoldfastModel

/// A `.mov` or `.m4a` being written: `moov` first, and nothing in it but pictures, sound, their
/// times and their orientation, and where and with what it was made only if that is asked for.
final class Muxer {
  let context: UnsafeMutablePointer<AVFormatContext>
  private let io: DescriptorIO
  private let writesOrigin: Bool

  /// What is written.
  enum Kind {
    /// A `.mov`.
    case movie
    /// A `.mov` with Dolby Vision, or that says how its picture surrounds the viewer.
    ///
    /// FFmpeg's mov muxer knows no `dvvC`, `st3d` or `sv3d`, its mp4 muxer does (movenc.c,
    /// `mov_write_video_tag`); beside them, that one writes `colr` as `nclx`, and the boxes of ISO/IEC 14496-12 that
    /// QuickTime's are the origin of. Under QuickTime's brand players take it for the `.mov` that
    /// its name says it is. The names of its handlers are left empty: they are counted strings in
    /// one format and zero-ended ones in the other, and empty is the same in both.
    case describedMovie
    /// An `.m4a`.
    case sound

    init(for plan: ConversionPlan, from source: borrowing Demuxer) throws(MediaError) {
      guard let video = plan.video else {
        self = .sound
        return
      }
      let stream = try source.stream(at: video.index)
      let isDescribed = Self.describing.contains { type in
        var size = 0
        return cff_stream_side_data(stream, type, &size) != nil
      }
      self = video.isCopied && isDescribed ? .describedMovie : .movie
    }

    private static let describing = [
      AV_PKT_DATA_DOVI_CONF, AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_STEREO3D,
    ]

    /// FFmpeg's name; "ipod" is its name for `.m4a`.
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
  /// What tracks' sample entries are called, where FFmpeg calls them something else.
  var names: [Int: String] = [:]

  init(
    _ output: OpenMedia, kind: Kind, creationTime: Date?, origin: OriginTags? = nil,
    call: RunningCall
  ) throws(MediaError) {
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
    // Bit-exact output names no library version; what made the file stands in the catalog.
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
    cff_open_output_only(context, io.file)
    if let creationTime {
      let text = creationTime.formatted(
        Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt))
      av_dict_set(&context.pointee.metadata, "creation_time", text, 0)
    }
    for (key, value) in origin?.tags ?? [:] {
      av_dict_set(&context.pointee.metadata, key, value, 0)
    }
  }

  deinit { avformat_free_context(context) }

  func addStream() throws(MediaError) -> UnsafeMutablePointer<AVStream> {
    try check(avformat_new_stream(context, nil), "add a stream")
  }

  func writeHeader() throws(MediaError) {
    var options: OpaquePointer?
    // QuickTime's metadata keys ("mdta") hold names of any length, and Apple's software reads what
    // is in them first; without the flag the muxer writes the few tags that it has boxes for.
    let flags = writesOrigin ? "+faststart+use_metadata_tags" : "+faststart"
    av_dict_set(&options, "movflags", flags, 0)
    if kind == .describedMovie {
      av_dict_set(&options, "brand", "qt  ", 0)
      av_dict_set(&options, "empty_hdlr_name", "1", 0)
      // These boxes are not of ISO's standard.
      av_dict_set(&options, "strict", "unofficial", 0)
    }
    av_dict_set_int(&options, "movie_timescale", movieTimescale, 0)
    defer { av_dict_free(&options) }
    try verify(avformat_write_header(context, &options), "write the header")
  }

  /// Ticks a second of the file's own clock, in which a late start of one stream is written: fine
  /// enough for every stream's clock. In FFmpeg's thousandths, sound and picture would move.
  private var movieTimescale: Int64 {
    var common: Int64 = 1
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let stream = context.pointee.streams[index] else { continue }
      let parameters = stream.parameters.pointee
      let ticks =
        parameters.codec_type == AVMEDIA_TYPE_AUDIO
        ? Int64(parameters.sample_rate) : Int64(stream.timeBase.den)
      guard ticks > 0 else { continue }
      common = common / av_gcd(common, ticks) * ticks
    }
    // 32 bits must hold 120 s of them, with room.
    return common <= 10_000_000 ? max(common, 1000) : 1_000_000
  }

  /// Ends the call if it was cancelled: an encoder takes long over its last frames, and reads and
  /// writes nothing meanwhile.
  func checkCancellation() throws(MediaError) {
    if call.isCancelled { throw .cancelled }
  }

  /// Ends the pictures of a stream at a time of the output's clock, in seconds, after the header was
  /// written.
  func endPictures(of stream: UnsafeMutablePointer<AVStream>, at end: Double) throws(MediaError) {
    tail = try PictureTail(stream, end: end)
  }

  /// Ends the pictures earlier than was said.
  func shortenPictures(to end: Double) { tail?.shorten(to: end) }

  /// Takes the packet over, whatever happens to it.
  func write(_ packet: UnsafeMutablePointer<AVPacket>) throws(MediaError) {
    if let tail, tail.stream == packet.pointee.stream_index {
      guard try tail.exchange(packet) else { return }
    }
    try verify(av_interleaved_write_frame(context, packet), "write a packet")
    call.step()
  }

  /// Writes the index and moves it to the front; the file is not complete before.
  func finish() throws(MediaError) {
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

  private func verify(_ code: CInt, _ operation: String) throws(MediaError) {
    if let error = io.systemError { throw error }
    if code == cff_error_exit { throw .cancelled }
    try check(code, operation)
  }
}
