internal import CFFmpeg
internal import HoldfastModel

/// A media file open for reading, with its streams described.
struct Demuxer: ~Copyable {
  let context: UnsafeMutablePointer<AVFormatContext>
  /// The container's name, such as `mov`.
  let container: String
  let fileSize: Int64
  /// How long an MP4's header says that it is presented, in seconds.
  private let headerLength: Double?
  /// The boxes of an MP4, as `parent/name`; empty unless they were asked for, or its index is wanted.
  let boxes: [String]
  /// Whether the streams are known by the header alone.
  let isKnownByHeader: Bool
  /// Whether the header's index says all of every packet but what is in it.
  let isKnownByIndex: Bool
  /// How often reading may fail in a row before the rest is given up.
  private static let mostFailures = 32
  /// How many streams a file may name: a decoder for each would take a gigabyte for FFmpeg's own
  /// limit of a thousand. Of Matroska's attachments, which count as streams, the rest is passed over.
  private static let mostStreams: CInt = 128
  /// How many bytes of an index Matroska's demuxer may gather while it reads: it keeps the index in
  /// order, and times that run backwards make it move all of it for each keyframe.
  private static let largestIndex: CUnsignedInt = 32 << 10
  /// How many chapters a file may have: a long audio book has some hundreds, and each opening of the
  /// file reads all of them.
  private static let mostChapters: CUnsignedInt = 10_000

  private let io: DescriptorIO
  private let call: RunningCall
  private let damage = Damage()
  private let bridge: ClockBridge?

  private final class Damage {
    /// By the stream of the packet that came after the loss; -1 where any stream may have lost.
    var losses: [Int: Int] = [:]
  }

  /// What is read of a file until its streams count as described.
  enum Description {
    /// As much as FFmpeg wants: of some streams it decodes the first pictures.
    case whole
    /// The header, where it says enough of the picture to decode a keyframe; else the whole.
    ///
    /// What the codec alone knows (pixel format, colours, how far pictures are reordered) is then
    /// left to the decoded picture.
    case header
    /// As ``header``, but only of an MP4 whose header has the index of every packet, with both times:
    /// those of others are made up by what the codec says.
    case index
  }

  /// Opens `source` if it is of an accepted container and its pictures are not too large.
  ///
  /// - Parameters:
  ///   - namesExtras: Whether metadata of every kind becomes tags, even what FFmpeg knows no name
  ///     for, and boxes are named.
  ///   - description: What is read to describe the streams.
  /// - Throws: ``MediaError`` with one sentence for each kind of file that is not taken.
  init(
    _ source: OpenMedia, namesExtras: Bool = false, description: Description = .whole,
    call: RunningCall
  ) throws(MediaError) {
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

    var opening: UnsafeMutablePointer<AVFormatContext>? = try check(
      avformat_alloc_context(), "open the file")
    opening?.pointee.pb = io.context
    opening?.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    opening?.pointee.max_streams = Self.mostStreams
    if container == "matroska" {
      // A million entries from the last to the first take a quarter of an hour to sort; what is to be
      // found is not far away in a clip.
      opening?.pointee.flags |= AVFMT_FLAG_IGNIDX
      opening?.pointee.max_index_size = Self.largestIndex
    }
    cff_refuse_to_open(opening)
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    if namesExtras {
      for name in ["export_all", "export_xmp"] { av_dict_set(&options, name, "1", 0) }
    }
    cff_collect_boxes(namesExtras || description == .index)
    defer { cff_collect_boxes(false) }
    // On failure FFmpeg frees the context and clears the pointer.
    let opened = call.opening { avformat_open_input(&opening, source.name, format, &options) }
    guard opened >= 0, let context = opening else {
      if opened == cff_error_no_memory {
        throw MediaError(
          .damaged,
          "its header asks for more than \(Self.mostStreams) streams, or for more memory than any "
            + "recording needs; it is damaged, or not a recording")
      }
      throw io.systemError ?? AcceptedContainers.unrecognised(firstBytes)
    }
    let isKnownByHeader: Bool
    do throws(MediaError) {
      try Self.refuseManyChapters(context)
      // To describe streams FFmpeg decodes the first pictures of some.
      call.willDecode(pixels: try Self.refuseLargePictures(context))
      isKnownByHeader =
        description != .whole
        && Self.headerSuffices(context, container: container, needsIndex: description == .index)
      if !isKnownByHeader {
        try Self.describeStreams(context)
        call.willDecode(pixels: try Self.refuseLargePictures(context))
      }
    } catch {
      avformat_close_input(&opening)
      throw io.systemError ?? error
    }
    let boxes =
      namesExtras || description == .index
      ? String(cString: cff_box_names()).split(separator: "\n").map(String.init) : []
    // Each is assigned once, and none is read before all are: Swift 6.3's optimiser releases twice
    // what a noncopyable structure holds when its initialiser reads a part of it.
    isKnownByIndex =
      isKnownByHeader && description == .index && Self.indexSuffices(context, boxes: boxes)
    self.context = context
    self.container = container
    self.isKnownByHeader = isKnownByHeader
    self.boxes = boxes
    bridge = container == "mpegts" ? ClockBridge() : nil
    headerLength = container == "mov" ? try? MovieIndex(source).length() : nil
    self.fileSize = fileSize
    self.io = io
    self.call = call
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
  }

  /// The streams, in the file's order.
  var streams: [UnsafeMutablePointer<AVStream>] {
    (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
  }

  /// The stream at an index that an earlier reading of the file gave.
  ///
  /// - Throws: ``MediaError`` when it is gone: somebody wrote to the file since.
  func stream(at index: Int) throws(MediaError) -> UnsafeMutablePointer<AVStream> {
    let streams = streams
    guard streams.indices.contains(index) else {
      throw MediaError(.damaged, "its stream \(index) is gone; import it again")
    }
    return streams[index]
  }

  /// How long the file claims to last, in seconds; `nil` if it does not.
  var claimedDuration: Double? {
    if let headerLength { return headerLength }
    let duration = context.pointee.duration
    guard duration == cff_no_pts else {
      return duration > 0 ? Double(duration) / Double(AV_TIME_BASE) : nil
    }
    // What FFmpeg takes, once the streams are described, of a header without a word of its own.
    let longest = streams.compactMap { stream in
      Int64(ticks: stream.pointee.duration).map { Double($0) * stream.timeBase.seconds }
    }.max()
    return longest.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Whether the length is FFmpeg's guess, by the file's size and its first packets, and no word of the
  /// file's.
  var guessesDuration: Bool {
    context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
  }

  /// What ``read(into:)`` met.
  enum Reading {
    case packet
    case end
    /// The file cannot be read any further; what was read stays good.
    case damage(String)
  }

  /// Reads the next packet of any stream into `packet`.
  ///
  /// - Throws: ``MediaError`` when the system refuses to read, or the call was cancelled.
  func read(into packet: UnsafeMutablePointer<AVPacket>) throws(MediaError) -> Reading {
    var failures = 0
    while true {
      av_packet_unref(packet)
      if call.isCancelled { throw .cancelled }
      let complaints = cff_log_complaints()
      let code = av_read_frame(context, packet)
      if code >= 0 {
        call.step()
        // Some demuxers look for the next good place themselves, and only complain.
        if failures > 0 || cff_log_complaints() != complaints {
          let isAlone = failures == 0 && readsPacketsAlone
          damage.losses[isAlone ? Int(packet.pointee.stream_index) : -1, default: 0] += 1
        }
        if let stream = context.pointee.streams[Int(packet.pointee.stream_index)] {
          bridge?.move(packet, timeBase: stream.timeBase)
        }
        return .packet
      }
      if let error = io.systemError { throw error }
      if code == cff_error_exit { throw .cancelled }
      // Behind a damaged place there may be good packets.
      failures += 1
      if code == cff_error_eof || failures > Self.mostFailures {
        return failures == 1 ? .end : .damage(ffmpegWord(for: code))
      }
    }
  }

  /// Looks into no packet. Only of a file that is ``isKnownByIndex``, and before the first is read:
  /// FFmpeg's parsers would take zeros for damage.
  func trustIndex() { context.pointee.flags |= AVFMT_FLAG_NOPARSE }

  /// Reads no packet's bytes from now on, but zeros in their place; after ``trustIndex()``.
  func skim() { io.skim(fileSize: fileSize) }

  /// Goes to the keyframe at or before a time, in ticks of the stream.
  ///
  /// - Returns: Whether the container could.
  @discardableResult
  func seek(stream index: Int, to time: Int64) -> Bool {
    bridge?.restart()
    return av_seek_frame(context, CInt(index), time, AVSEEK_FLAG_BACKWARD) >= 0
  }

  /// Goes to where a stream begins.
  func rewind(_ stream: UnsafeMutablePointer<AVStream>) {
    bridge?.restart()
    // What stands before the first place that a transport stream's times lead to is passed over.
    if container == "mpegts", av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE) >= 0 { return }
    seek(stream: stream.index, to: stream.pointee.start_time)
  }

  /// Whether each packet is read from a place of its own, so that a complaint is about that packet: so
  /// it is in an MP4 without fragments.
  private var readsPacketsAlone: Bool {
    boxes.contains("root/moov") && !boxes.contains("moov/mvex") && !boxes.contains("and more")
  }

  /// At how many places something of some streams could not be read and what followed could; of
  /// containers that mix them, of any stream.
  func losses(of streams: [Int]) -> Int {
    (streams + [-1]).reduce(0) { $0 + (damage.losses[$1] ?? 0) }
  }

  /// Reads no packets of the streams whose index `isUnwanted`.
  func discardStreams(_ isUnwanted: (Int) -> Bool) {
    for stream in streams where isUnwanted(stream.index) {
      stream.pointee.discard = AVDISCARD_ALL
    }
  }

  private static func refuseManyChapters(
    _ context: UnsafeMutablePointer<AVFormatContext>
  ) throws(MediaError) {
    let count = context.pointee.nb_chapters
    guard count <= mostChapters else {
      throw MediaError(
        .damaged,
        "its header has \(count) chapters; at most \(mostChapters) are read: it is damaged, or "
          + "not a recording")
    }
  }

  /// Pictures over DESIGN §5's limits are refused before a decoder opens.
  ///
  /// - Returns: How many pixels the largest has.
  private static func refuseLargePictures(
    _ context: UnsafeMutablePointer<AVFormatContext>
  ) throws(MediaError) -> Int {
    var largest = 0
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let parameters = context.pointee.streams[index]?.pointee.codecpar,
        parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
      else { continue }
      let (width, height) = (Int(parameters.pointee.width), Int(parameters.pointee.height))
      try PictureLimit.check(width: width, height: height)
      largest = max(largest, width * height)
    }
    return largest
  }

  /// Whether a header says all of the first moving picture that its decoder must know beforehand.
  private static func headerSuffices(
    _ context: UnsafeMutablePointer<AVFormatContext>, container: String, needsIndex: Bool
  ) -> Bool {
    guard ["mov", "matroska"].contains(container) else { return false }
    let streams = (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
    guard let parameters = streams.first(where: \.isMovingPicture)?.parameters.pointee,
      parameters.width > 0, parameters.height > 0
    else { return false }
    if needsIndex {
      // The samples of a fragmented file are named on the way, and not in its header.
      guard container == "mov", streams.allSatisfy({ $0.pointee.nb_frames > 0 }) else {
        return false
      }
    }
    switch parameters.codec_id {
    // Their parameter sets, without which nothing decodes, may stand in the packets instead.
    case AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG4:
      return parameters.extradata_size > 6
    case AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1, AV_CODEC_ID_PRORES,
      AV_CODEC_ID_MJPEG:
      return true
    default: return false
    }
  }

  /// Whether nothing is to be found in packets that decides when they are shown: no fragments, which
  /// name more packets on the way, and no codec whose packets FFmpeg's demuxer looks into.
  private static func indexSuffices(
    _ context: UnsafeMutablePointer<AVFormatContext>, boxes: [String]
  ) -> Bool {
    guard !boxes.contains(where: { ["moov/mvex", "and more"].contains($0) }) else { return false }
    return (0..<Int(context.pointee.nb_streams)).allSatisfy { index in
      guard let parameters = context.pointee.streams[index]?.pointee.codecpar.pointee else {
        return false
      }
      guard [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].contains(parameters.codec_type) else {
        return true
      }
      return parameters.extradata_size > 0
        && [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AAC, AV_CODEC_ID_ALAC]
          .contains(parameters.codec_id)
    }
  }

  /// Lets FFmpeg read as much as it needs to describe the streams.
  private static func describeStreams(
    _ context: UnsafeMutablePointer<AVFormatContext>
  ) throws(MediaError) {
    let count = Int(context.pointee.nb_streams)
    var options = [OpaquePointer?](repeating: nil, count: count)
    for index in 0..<count {
      av_dict_set_int(&options[index], "max_pixels", Int64(PictureLimit.pixels), 0)
      // A thread for each core would cost more to start than one picture takes to decode.
      av_dict_set(&options[index], "threads", "1", 0)
    }
    defer { for index in 0..<count { av_dict_free(&options[index]) } }
    let code = avformat_find_stream_info(context, &options)
    guard code >= 0 else {
      throw MediaError(
        ffmpeg: code, operation: "describe the streams", as: .damaged,
        reason: "cannot be read as audio or video; it is damaged or cut off")
    }
  }
}

extension MediaError {
  /// Thrown inside a call that was cancelled; ``FFmpegEngine`` turns it into `CancellationError`.
  static var cancelled: MediaError { MediaError(.library, "was cancelled") }
}
