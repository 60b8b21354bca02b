internal import CFFmpeg
internal import HoldfastModel

/// Makes a JPEG of one picture of a video.
enum Thumbnail {
  static func run(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia, call: RunningCall
  ) throws(MediaError) -> ThumbnailReport {
    let demuxer = try Demuxer(source, call: call)
    guard
      let stream = demuxer.streams.first(where: {
        $0.describe(in: demuxer.context).kind == .video
      }), let picture = stream.describe(in: demuxer.context).picture
    else { throw MediaError(.nothingToPlay, "holds no picture to make a thumbnail of") }
    demuxer.discardStreams { $0 != stream.index }

    let start = Int64(ticks: stream.pointee.start_time) ?? 0
    let milliseconds = AVRational(num: 1, den: 1000)
    let wanted =
      start
      + Int64(min(max(job.seconds ?? 1, 0), 1e6) * 1000).rescaled(
        from: milliseconds, to: stream.timeBase)
    let frame = try Frame()
    try demuxer.decodeKeyframe(of: stream, atOrBefore: wanted, start: start, into: frame)

    let time = frame.pointer.presentation ?? start
    let size = picture.displaySize.fitted(longSide: job.longSide).even
    let jpeg = try encode(frame, of: picture, in: stream, size: size, job)
    try jpeg.write(to: output)
    return ThumbnailReport(
      size: size,
      choice: FrameChoice(
        time: Double(time - start) * stream.timeBase.seconds, score: 1,
        reason: job.seconds == nil ? .usual : .asked),
      bytes: jpeg.count)
  }

  private static func encode(
    _ frame: borrowing Frame, of picture: PictureFormat,
    in stream: UnsafeMutablePointer<AVStream>, size: PictureSize, _ job: ThumbnailJob
  ) throws(MediaError) -> JPEG {
    // One frame goes through; it needs a time for that, and any will do.
    frame.pointer.pointee.pts = 0
    let chain = PictureFilters.thumbnail(
      picture, size: size, frame: FrameShape(frame.pointer, of: stream))
    let filters = try FilterGraph(chain, for: frame.pointer, timeBase: stream.timeBase)
    let filtered = try Frame()
    var jpeg: JPEG?
    // The first picture that comes out is the one; some filters keep it until the end.
    for input in [frame.pointer, nil] where jpeg == nil {
      try filters.filter(input, into: filtered.pointer) { frame throws(MediaError) in
        if jpeg == nil { jpeg = try JPEG(frame, quality: job.quality) }
      }
    }
    guard let jpeg else { throw MediaError(.library, "the filters gave no picture") }
    return jpeg
  }
}
