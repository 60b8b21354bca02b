import CFFmpeg
import HoldfastModel

/// A media file open for reading, with its streams described.
struct Demuxer: ~Copyable {
  let context: UnsafeMutablePointer<AVFormatContext>
  let container: String
  let fileSize: Int64
  /// The duration in an MP4's header, in seconds.
  private let headerLength: Double?
  /// Whether the file's sound goes on to its end, because its size was never written.
  private let isOpenEnded: Bool
  /// The boxes of an MP4, as `parent/name`. Empty unless they were asked for, or the index is
  /// wanted.
  let boxes: [String]
  /// Whether the header alone was enough to describe the streams.
  let isKnownByHeader: Bool
  /// Whether the header's index says everything about every packet except its content.
  let isKnownByIndex: Bool
  /// The most reads in a row that may fail before the rest is given up.
  private static let mostFailures = 32
  /// The most streams that a file may have. At FFmpeg's own limit of a thousand, a decoder for each
  /// stream would take a gigabyte. Matroska's attachments count as streams; those beyond the limit
  /// are skipped.
  private static let mostStreams: CInt = 128
  /// The most bytes of index that Matroska's demuxer may gather while it reads. It keeps the index
  /// in order. If times run backwards, it moves the whole index for each keyframe.
  private static let largestIndex: CUnsignedInt = 32 << 10
  /// The most chapters that a file may have. A long audio book has some hundreds, and each opening
  /// of the file reads all of them.
  private static let mostChapters: CUnsignedInt = 10_000

  private let io: DescriptorIO
  private let call: RunningCall
  private let damage = Damage()
  /// Joins the clocks of the streams that are read; `nil` in most containers.
  let bridge: ClockBridge?
  private let frameTimes: ADTSClock?
  private let durations = SoundDurations()

  private final class Damage {
    /// The number of losses by the stream of the packet that came after the loss; -1 if any stream
    /// may have lost something.
    var losses: [Int: Int] = [:]
    /// The streams with a packet that FFmpeg's parser complained about. Only its decoder shows
    /// whether anything is wrong with it.
    var doubted: Set<Int> = []
  }

  /// The part of a file that is read to describe its streams.
  enum Description {
    /// As much as FFmpeg wants. It decodes the first pictures of some streams.
    case whole
    /// The header, if it says enough about the picture to decode a keyframe; otherwise as
    /// ``whole``.
    ///
    /// Properties that only the codec knows (pixel format, colours, how far pictures are reordered)
    /// must then come from the decoded picture.
    case header
    /// As ``header``, but only for an MP4 whose header has an index of every packet with both
    /// times. In other files, FFmpeg derives times from what the codec says.
    case index
  }

  /// Containers without an index. FFmpeg's parsers find their packets, which describe themselves.
  static let unindexed: Set = ["aac", "mpegts"]

  /// Opens `source` if its container is accepted and its pictures are not too large. With
  /// `namesExtras`, all metadata becomes tags, even metadata that FFmpeg has no name for, and the
  /// boxes are named.
  init(
    _ source: OpenMedia, namesExtras: Bool = false, description: Description = .whole,
    call: RunningCall
  ) throws(HoldfastError) {
    cff_log_clear()
    let fileSize = try regularFileSize(source)
    let firstBytes = try AcceptedContainers.firstBytes(of: source)
    try AcceptedContainers.refuseByFirstBytes(firstBytes)
    let io = try DescriptorIO(source, isWritable: false, call: call)

    var format: UnsafePointer<AVInputFormat>?
    let probed = av_probe_input_buffer2(io.context, &format, source.name, nil, 0, 0)
    guard probed >= 0, let format else {
      throw io.systemError ?? AcceptedContainers.unrecognised(firstBytes)
    }
    let container = try AcceptedContainers.accept(format)
    if container.hasPrefix("amr"), container != "amr" { try AMRFrames.check(source, container) }

    cff_collect_boxes(namesExtras || description == .index)
    defer { cff_collect_boxes(false) }
    guard
      let context = try Self.open(
        source, as: format, container: container, namesExtras: namesExtras, io: io, call: call)
    else { throw io.systemError ?? AcceptedContainers.unrecognised(firstBytes) }
    let isKnownByHeader: Bool
    do throws(HoldfastError) {
      isKnownByHeader = try Self.describe(
        context, container: container, description: description, call: call)
    } catch {
      release(context) { avformat_close_input($0) }
      throw io.systemError ?? error
    }
    let boxes =
      namesExtras || description == .index
      ? String(cString: cff_box_names()).split(separator: "\n").map(String.init) : []
    // Each property is assigned once, and none is read before all are assigned. If an initialiser
    // reads a part of a noncopyable structure, Swift 6.3's optimiser releases its content twice.
    isKnownByIndex =
      isKnownByHeader && description == .index && Self.indexSuffices(context, boxes: boxes)
    self.context = context
    self.container = container
    self.isKnownByHeader = isKnownByHeader
    self.boxes = boxes
    // FFmpeg reads the later links of a chained Ogg only if it has one stream.
    let isChain = container == "ogg" && context.pointee.nb_streams == 1
    bridge = container == "mpegts" || isChain ? ClockBridge() : nil
    frameTimes = Self.unindexed.contains(container) ? ADTSClock() : nil
    isOpenEnded = UnreadRest.isOpenEnded(source, container)
    headerLength = container == "mov" ? try? MovieIndex(source).length() : nil
    self.fileSize = fileSize
    self.io = io
    self.call = call
  }

  deinit { release(context) { avformat_close_input($0) } }

  var streams: [UnsafeMutablePointer<AVStream>] { context.streams }

  /// Returns the stream at an index that an earlier reading of the file gave. Throws if it is gone,
  /// because the file was written to since.
  func stream(at index: Int) throws(HoldfastError) -> UnsafeMutablePointer<AVStream> {
    let streams = streams
    guard streams.indices.contains(index) else {
      throw HoldfastError(.damaged, "its stream \(index) is gone; import it again")
    }
    return streams[index]
  }

  /// The duration that the file claims, in seconds; `nil` if it claims none.
  var claimedDuration: Double? {
    if let headerLength { return headerLength }
    let duration = context.pointee.duration
    guard duration == cff_no_pts else {
      return duration > 0 ? Double(duration) / Double(AV_TIME_BASE) : nil
    }
    // If the header does not say, FFmpeg uses this length once the streams are described.
    let longest = streams.compactMap { stream in
      Int64(ticks: stream.pointee.duration).map { Double($0) * stream.timeBase.seconds }
    }.max()
    return longest.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Whether the duration is FFmpeg's guess from the file's size and first packets, not stated in
  /// the file.
  var guessesDuration: Bool {
    context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
  }

  enum Reading {
    case packet
    case end
    /// The file cannot be read any further. The packets before are good.
    case damage
  }

  func read(into packet: UnsafeMutablePointer<AVPacket>) throws(HoldfastError) -> Reading {
    var failures = 0
    while true {
      av_packet_unref(packet)
      if call.isCancelled { throw .cancelled }
      let (complaints, doubts) = (cff_log_complaints(), cff_log_codec_complaints())
      let code = av_read_frame(context, packet)
      if code >= 0 {
        call.step()
        // Some demuxers skip to the next good place themselves and only complain in the log.
        let doubted = cff_log_codec_complaints() &- doubts
        if failures > 0 || cff_log_complaints() &- complaints > doubted {
          let isAlone = failures == 0 && readsPacketsAlone
          damage.losses[isAlone ? Int(packet.pointee.stream_index) : -1, default: 0] += 1
        } else if doubted > 0 {
          damage.doubted.insert(Int(packet.pointee.stream_index))
        }
        if let stream = context.pointee.streams[Int(packet.pointee.stream_index)] {
          if stream.parameters.pointee.codec_id == AV_CODEC_ID_AAC {
            frameTimes?.move(packet, timeBase: stream.timeBase)
          }
          durations.correct(packet, of: stream)
          if isOpenEnded, stream.isUnframed { packet.pointee.flags &= ~AV_PKT_FLAG_CORRUPT }
          bridge?.move(packet, timeBase: stream.timeBase)
        }
        return .packet
      }
      if let error = io.systemError { throw error }
      if code == cff_error_exit { throw .cancelled }
      // There may be good packets after a damaged place.
      failures += 1
      if code == cff_error_eof || failures > Self.mostFailures {
        return failures == 1 ? .end : .damage
      }
    }
  }

  /// Turns off FFmpeg's parsers, which would report the zeros of ``skim()`` as damage. Call it only
  /// on a file that is ``isKnownByIndex``, before the first packet is read.
  func trustIndex() { context.pointee.flags |= AVFMT_FLAG_NOPARSE }

  /// From now on, reads zeros instead of the packets' bytes. Call ``trustIndex()`` before.
  func skim() { io.skim(fileSize: fileSize) }

  /// Seeks to the keyframe at or before a time, in ticks of the stream. Returns whether the
  /// container could seek.
  @discardableResult
  func seek(stream index: Int, to time: Int64) -> Bool {
    bridge?.restart()
    frameTimes?.restart()
    return av_seek_frame(context, CInt(index), time, AVSEEK_FLAG_BACKWARD) >= 0
  }

  func rewind(_ stream: UnsafeMutablePointer<AVStream>) {
    bridge?.restart()
    frameTimes?.restart()
    // A seek by time in a transport stream skips everything before the first place that it can
    // find.
    if container == "mpegts", av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE) >= 0 { return }
    seek(stream: stream.index, to: stream.pointee.start_time)
  }

  /// Returns at how many places some of these streams could not be read, although reading went on
  /// after them. In containers that mix streams, the losses of every stream count.
  func losses(of streams: [Int]) -> Int {
    (streams + [-1]).reduce(0) { $0 + (damage.losses[$1] ?? 0) }
  }

  /// Whether FFmpeg's parser complained about a packet of a stream.
  func doubts(_ stream: Int) -> Bool { damage.doubted.contains(stream) }

  /// Stops reading the streams for whose index `isUnwanted` returns `true`.
  func discardStreams(_ isUnwanted: (Int) -> Bool) {
    for stream in streams where isUnwanted(stream.index) {
      stream.pointee.discard = AVDISCARD_ALL
    }
  }

  /// Opens a file with the demuxer that recognised it; `nil` if the demuxer or the system refused
  /// it.
  private static func open(
    _ source: OpenMedia, as format: UnsafePointer<AVInputFormat>, container: String,
    namesExtras: Bool, io: DescriptorIO, call: RunningCall
  ) throws(HoldfastError) -> UnsafeMutablePointer<AVFormatContext>? {
    var context: UnsafeMutablePointer<AVFormatContext>? = try check(
      avformat_alloc_context(), "open the file")
    context?.pointee.pb = io.context
    context?.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    context?.pointee.max_streams = mostStreams
    if container == "matroska" {
      // In a clip, a search without the file's index never has far to go. An index of a million
      // entries, from the last to the first, takes a quarter of an hour to sort.
      context?.pointee.flags |= AVFMT_FLAG_IGNIDX
      context?.pointee.max_index_size = largestIndex
    }
    cff_refuse_to_open(context)
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    if namesExtras {
      for name in ["export_all", "export_xmp"] { av_dict_set(&options, name, "1", 0) }
    }
    // On failure FFmpeg frees the context and clears the pointer.
    let code = call.opening { avformat_open_input(&context, source.name, format, &options) }
    guard code != cff_error_no_memory else {
      throw HoldfastError(
        .damaged,
        "its header asks for more than \(mostStreams) streams, or for more memory than any "
          + "recording needs; it is damaged, or not a recording")
    }
    return code >= 0 ? context : nil
  }

  /// Checks the limits, and describes the streams. Returns whether the header alone was enough.
  private static func describe(
    _ context: UnsafeMutablePointer<AVFormatContext>, container: String,
    description: Description, call: RunningCall
  ) throws(HoldfastError) -> Bool {
    try refuseManyChapters(context)
    // FFmpeg decodes the first pictures of some streams to describe them.
    call.willDecode(pixels: try refuseLargePictures(context))
    if description != .whole,
      headerSuffices(context, container: container, needsIndex: description == .index)
    {
      return true
    }
    try describeStreams(context)
    call.willDecode(pixels: try refuseLargePictures(context))
    return false
  }

  private static func refuseManyChapters(
    _ context: UnsafeMutablePointer<AVFormatContext>
  ) throws(HoldfastError) {
    let count = context.pointee.nb_chapters
    guard count <= mostChapters else {
      throw HoldfastError(
        .damaged,
        "its header has \(count) chapters; at most \(mostChapters) are read: it is damaged, or "
          + "not a recording")
    }
  }

  /// Refuses pictures over the limits of `PictureLimit` before a decoder opens. Returns how many
  /// pixels the largest picture has.
  private static func refuseLargePictures(
    _ context: UnsafeMutablePointer<AVFormatContext>
  ) throws(HoldfastError) -> Int {
    var largest = 0
    for stream in context.streams {
      let parameters = stream.parameters.pointee
      guard parameters.codec_type == AVMEDIA_TYPE_VIDEO else { continue }
      let (width, height) = (Int(parameters.width), Int(parameters.height))
      try PictureLimit.check(width: width, height: height)
      largest = max(largest, width * height)
    }
    return largest
  }

  /// Whether a header says everything that the decoder of the first moving picture needs
  /// beforehand.
  private static func headerSuffices(
    _ context: UnsafeMutablePointer<AVFormatContext>, container: String, needsIndex: Bool
  ) -> Bool {
    guard ["mov", "matroska"].contains(container) else { return false }
    let streams = context.streams
    guard let parameters = streams.first(where: \.isMovingPicture)?.parameters.pointee,
      parameters.width > 0, parameters.height > 0
    else { return false }
    if needsIndex {
      // A fragmented file lists its samples on the way, not in its header.
      guard container == "mov", streams.allSatisfy({ $0.pointee.nb_frames > 0 }) else {
        return false
      }
    }
    switch parameters.codec_id {
    // The parameter sets, without which nothing decodes, may be in the packets instead.
    case AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG4:
      return parameters.extradata_size > 6
    case AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1, AV_CODEC_ID_PRORES,
      AV_CODEC_ID_MJPEG:
      return true
    default: return false
    }
  }

  /// Whether the packets contain nothing that decides when they are shown. There must be no
  /// fragments, which list more packets on the way, and no codec whose packets FFmpeg's demuxer
  /// reads.
  private static func indexSuffices(
    _ context: UnsafeMutablePointer<AVFormatContext>, boxes: [String]
  ) -> Bool {
    guard !boxes.contains(where: { ["moov/mvex", "and more"].contains($0) }) else { return false }
    return context.streams.allSatisfy { stream in
      let parameters = stream.parameters.pointee
      guard [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].contains(parameters.codec_type) else {
        return true
      }
      return parameters.extradata_size > 0
        && [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AAC, AV_CODEC_ID_ALAC]
          .contains(parameters.codec_id)
    }
  }

  private static func describeStreams(
    _ context: UnsafeMutablePointer<AVFormatContext>
  ) throws(HoldfastError) {
    let count = Int(context.pointee.nb_streams)
    var options = [OpaquePointer?](repeating: nil, count: count)
    for index in 0..<count {
      av_dict_set_int(&options[index], "max_pixels", Int64(PictureLimit.pixels), 0)
      // Starting a thread for each core would take longer than decoding one picture.
      av_dict_set(&options[index], "threads", "1", 0)
    }
    defer { for index in 0..<count { av_dict_free(&options[index]) } }
    let code = avformat_find_stream_info(context, &options)
    guard code >= 0 else {
      throw HoldfastError(
        ffmpeg: code, operation: "describe the streams", as: .damaged,
        reason: "cannot be read as audio or video; it is damaged or cut off")
    }
  }
}

extension HoldfastError {
  /// The error of a cancelled call. ``FFmpegEngine`` turns it into `CancellationError`.
  static var cancelled: HoldfastError { HoldfastError(.library, "was cancelled") }
}
