import CFFmpeg
import HoldfastModel

/// Finds and decodes single pictures of a file's first video stream. It uses one demuxer and one
/// decoder.
final class PictureReader {
  let demuxer: Demuxer
  let stream: UnsafeMutablePointer<AVStream>
  /// When the first picture is shown, in ticks of the stream.
  let start: Int64
  let decoder: Decoder
  let packet: Packet
  /// Whether pictures must be decoded from the first one. In AVI, a palette comes only once, with
  /// the first packet, and reordered pictures must be counted to know when they are shown.
  let isDecodedFromStart: Bool
  /// When pictures are shown, if their packets do not say so. Useful only if all are decoded.
  var stored = StoredTimes()
  private let call: RunningCall

  /// The longest believable time, in seconds.
  private static let longest = 1e9
  /// The most pictures that H.264 and HEVC decode before a picture that is shown earlier
  /// (`max_num_reorder_frames`, ITU-T H.264 E.2.1).
  private static let mostReordered = 16
  /// The most packets that are searched for the first one shown.
  private static let mostUnshown = 1000
  /// If a keyframe is at least this many times larger than the picture made of it, its blocks may
  /// keep their edges. They cannot be seen in a picture reduced that much.
  private static let leastReduction = 4

  /// The number of pixels of the largest decoded picture.
  private var largest = 0

  /// - Parameters:
  ///   - start: When the first picture is shown, in ticks of the stream. If it is given, nothing is
  ///     read to find out.
  ///   - longSide: The longer side in pixels of pictures made of keyframes; `nil` if other pictures
  ///     are decoded too.
  init(
    _ source: OpenMedia, description: Demuxer.Description, start: Int64? = nil,
    longSide: Int? = nil, call: RunningCall
  ) throws(HoldfastError) {
    let demuxer = try Demuxer(source, description: description, call: call)
    let stream = try demuxer.movingPicture()
    let packet = try Packet()
    if let start {
      self.start = start
    } else if demuxer.isKnownByHeader {
      self.start = try Self.start(of: stream, in: demuxer, packet)
    } else {
      // FFmpeg has already read the first packets, and not every container can give them twice.
      self.start = Int64(ticks: stream.pointee.start_time) ?? 0
    }
    isDecodedFromStart =
      demuxer.container == "avi"
      && (stream.pixelFormat == AV_PIX_FMT_PAL8 || stream.parameters.pointee.video_delay > 0)
    let parameters = stream.parameters.pointee
    let longest = Int(max(parameters.width, parameters.height))
    let showsBlocks = longSide.map { longest < Self.leastReduction * $0 } ?? true
    decoder = try Decoder(stream, threads: 1, deblocks: showsBlocks || isDecodedFromStart)
    self.demuxer = demuxer
    self.stream = stream
    self.packet = packet
    self.call = call
  }

  /// Returns when a picture is shown, in seconds after the first.
  func seconds(of frame: borrowing Frame) -> Double {
    max(0, Double((frame.pointer.presentation ?? start) - start) * stream.timeBase.seconds)
  }

  /// Converts a time in seconds after the first picture to ticks of the stream, rounded down: the
  /// last tick by then.
  func ticks(_ seconds: Double) -> Int64 {
    let microseconds = Int64((min(max(seconds, 0), Self.longest) * 1e6).rounded())
    return start
      + microseconds.floored(from: AVRational(num: 1, den: 1_000_000), to: stream.timeBase)
  }

  /// Decodes the keyframe at or before a time in ticks of the stream, or the first picture if there
  /// is none.
  func decodeKeyframe(atOrBefore time: Int64, into frame: borrowing Frame) throws(HoldfastError) {
    if isDecodedFromStart { return try decodeAll(until: time, into: frame) }
    if try findKeyframe(atOrBefore: time), decoder.decodeAlone(packet, into: frame) {
      return try noteSize(of: frame)
    }
    // No keyframe that is shown by then decodes by itself. Use the first picture that decodes.
    demuxer.rewind(stream)
    try decodeFirst(into: frame)
    try noteSize(of: frame)
  }

  /// Decodes the pictures from the keyframe at or before a time on, in ticks of the stream, until
  /// `body` returns `false` or the file ends. Pictures may come out of order.
  func decode(
    from time: Int64, _ body: (borrowing Frame) throws(HoldfastError) -> Bool
  ) throws(HoldfastError) {
    // These pictures refer to others, so the edges of blocks must be smoothed.
    decoder.context.pointee.skip_loop_filter = AVDISCARD_DEFAULT
    avcodec_flush_buffers(decoder.context)
    stored = StoredTimes()
    if isDecodedFromStart {
      demuxer.rewind(stream)
    } else if try findKeyframe(atOrBefore: time) {
      avcodec_send_packet(decoder.context, packet.pointer)
    } else {
      return
    }
    let frame = try Frame()
    var (goesOn, isAtEnd) = (true, false)
    while goesOn {
      while goesOn, avcodec_receive_frame(decoder.context, frame.pointer) >= 0 {
        if let shown = stored.presentation(of: frame.pointer) { frame.pointer.pointee.pts = shown }
        try noteSize(of: frame)
        goesOn = try body(frame)
      }
      guard goesOn, !isAtEnd else { return }
      guard case .packet = try demuxer.read(into: packet.pointer) else {
        isAtEnd = true
        avcodec_send_packet(decoder.context, nil)
        continue
      }
      guard Int(packet.pointer.pointee.stream_index) == stream.index else { continue }
      stored.note(packet.pointer)
      if avcodec_send_packet(decoder.context, packet.pointer) < 0 { stored.lose() }
    }
  }

  /// Reads every packet and returns when the pictures are shown; `nil` if no packet says when.
  func measure() throws(HoldfastError) -> PictureTimes? {
    demuxer.rewind(stream)
    return try demuxer.measure(stream, packet)
  }

  private func findKeyframe(atOrBefore time: Int64) throws(HoldfastError) -> Bool {
    // In some containers, seeking goes by decode time, which is before the presentation time. So
    // the keyframe found may be shown too late. If a better one exists, it is found a second
    // earlier.
    let second = Int64(1).rescaled(from: AVRational(num: 1, den: 1), to: stream.timeBase)
    for target in [time, time - second, start] {
      demuxer.seek(stream: stream.index, to: target)
      while case .packet = try demuxer.read(into: packet.pointer) {
        guard Int(packet.pointer.pointee.stream_index) == stream.index,
          packet.pointer.isKeyframe
        else { continue }
        let shown = packet.pointer.presentation ?? packet.pointer.decoding ?? start
        if shown <= time || target <= start { return true }
        break
      }
    }
    return false
  }

  private func decodeFirst(into frame: borrowing Frame) throws(HoldfastError) {
    while case .packet = try demuxer.read(into: packet.pointer) {
      guard Int(packet.pointer.pointee.stream_index) == stream.index else { continue }
      avcodec_send_packet(decoder.context, packet.pointer)
      if avcodec_receive_frame(decoder.context, frame.pointer) >= 0 { return }
    }
    avcodec_send_packet(decoder.context, nil)
    guard avcodec_receive_frame(decoder.context, frame.pointer) >= 0 else {
      throw HoldfastError(.damaged, "none of its pictures can be decoded")
    }
  }

  /// Decodes from the first picture on. Keeps the last picture at or before a time that needs no
  /// other.
  private func decodeAll(until time: Int64, into frame: borrowing Frame) throws(HoldfastError) {
    demuxer.rewind(stream)
    avcodec_flush_buffers(decoder.context)
    stored = StoredTimes()
    let next = try Frame()
    let kept = frame.pointer
    av_frame_unref(kept)
    var (hasKept, isOver) = (false, false)
    func keepIfBetter(_ picture: UnsafeMutablePointer<AVFrame>) {
      let shown = stored.presentation(of: picture)
      isOver = isOver || (shown ?? start) > time
      guard !hasKept || (!isOver && picture.pointee.pict_type == AV_PICTURE_TYPE_I) else { return }
      av_frame_unref(kept)
      av_frame_move_ref(kept, picture)
      kept.pointee.pts = shown ?? start
      hasKept = true
    }
    while !isOver, case .packet = try demuxer.read(into: packet.pointer) {
      guard Int(packet.pointer.pointee.stream_index) == stream.index else { continue }
      stored.note(packet.pointer)
      if try !decoder.decode(packet.pointer, into: next.pointer, keepIfBetter) { stored.lose() }
    }
    if !isOver { _ = try decoder.decode(nil, into: next.pointer, keepIfBetter) }
    guard hasKept else { throw HoldfastError(.damaged, "none of its pictures can be decoded") }
    try noteSize(of: frame)
  }

  /// Checks a decoded picture against the limits, because the header may have named a smaller size.
  func noteSize(of frame: borrowing Frame) throws(HoldfastError) {
    let (width, height) = (Int(frame.pointer.pointee.width), Int(frame.pointer.pointee.height))
    guard width * height > largest else { return }
    try PictureLimit.check(width: width, height: height)
    largest = width * height
    call.willDecode(pixels: width * height)
  }

  /// Returns when the first picture is shown: the earliest time of the packets that are decoded
  /// before it. Packets that are decoded later are shown later.
  private static func start(
    of stream: UnsafeMutablePointer<AVStream>, in demuxer: borrowing Demuxer,
    _ packet: borrowing Packet
  ) throws(HoldfastError) -> Int64 {
    var start: Int64?
    var (shown, read) = (0, 0)
    while shown < mostReordered, read < mostUnshown,
      case .packet = try demuxer.read(into: packet.pointer)
    {
      read += 1
      guard Int(packet.pointer.pointee.stream_index) == stream.index,
        !packet.pointer.isDiscarded,
        let time = packet.pointer.presentation ?? packet.pointer.decoding
      else { continue }
      shown += 1
      let earliest = min(start ?? time, time)
      start = earliest
      if let decoding = packet.pointer.decoding, decoding >= earliest { break }
    }
    return start ?? Int64(ticks: stream.pointee.start_time) ?? 0
  }
}

extension Demuxer {
  /// Returns the first video stream. From then on, the other streams are not read.
  func movingPicture() throws(HoldfastError) -> UnsafeMutablePointer<AVStream> {
    guard let stream = streams.first(where: \.isMovingPicture) else {
      throw HoldfastError(.nothingToPlay, "holds no picture to make a thumbnail of")
    }
    discardStreams { $0 != stream.index }
    return stream
  }

  /// Reads the rest of a stream's packets and returns when its pictures are shown; `nil` if no
  /// packet says when.
  func measure(
    _ stream: UnsafeMutablePointer<AVStream>, _ packet: borrowing Packet
  ) throws(HoldfastError) -> PictureTimes? {
    var measurement = StreamMeasurement(of: stream, in: context)
    while case .packet = try read(into: packet.pointer) {
      guard Int(packet.pointer.pointee.stream_index) == stream.index else { continue }
      measurement.add(packet.pointer)
    }
    measurement.finish(stream, in: self)
    return measurement.pictures
  }
}
