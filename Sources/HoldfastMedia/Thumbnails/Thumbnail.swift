import CFFmpeg
import HoldfastModel

/// Makes a JPEG of one picture of a video, or of many.
enum Thumbnail {
  /// Where the usual picture is taken, in seconds after the presented start. The first picture
  /// often still shows the hand moving.
  private static let usual = 1.0
  /// Where better pictures are searched for, as shares of the length.
  private static let others = [0.1, 0.25, 0.5, 0.75]
  /// The seconds and the pictures after the best keyframe that are decoded if no keyframe is good.
  private static let longestSearch = 5.0
  private static let mostDecoded = 150
  /// The seconds from one of these pictures that is judged to the next.
  private static let searchStep = 0.1
  /// The score of a picture that ends the search.
  private static let enough = 0.6

  static func run(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia, call: RunningCall
  ) throws(HoldfastError) -> ThumbnailReport {
    if let sheet = job.sheet { return try lay(sheet, for: job, from: source, to: output, call) }
    if let seconds = job.seconds {
      return try exact(job, at: seconds, from: source, to: output, call)
    }
    if let report = try choose(job, from: source, to: output, .header, call: call) { return report }
    guard let report = try choose(job, from: source, to: output, .whole, call: call) else {
      throw HoldfastError(.library, "its picture has no size")
    }
    return report
  }

  /// Makes a thumbnail of the picture that shows most; `nil` if the header is not enough.
  private static func choose(
    _ job: ThumbnailJob, from source: OpenMedia, to output: OpenMedia,
    _ description: Demuxer.Description, call: RunningCall
  ) throws(HoldfastError) -> ThumbnailReport? {
    let reader = try PictureReader(
      source, description: description, longSide: job.longSide, call: call)
    let frame = try Frame()
    try reader.decodeKeyframe(atOrBefore: reader.ticks(usual), into: frame)
    guard let pictures = ThumbnailPictures(of: reader, first: frame, longSide: job.longSide)
    else { return nil }
    var best = try make(frame, from: reader, pictures)
    let reason = best.score.fault ?? .usual
    if reason != .usual { try improve(&best, from: reader, pictures) }
    var report = try write(best, because: reason, job, to: output)
    if reader.demuxer.container == "mov" { report.codecs = CodecStrings(reader.demuxer) }
    return report
  }

  /// Searches for a picture that shows more, among keyframes over the whole length.
  private static func improve(
    _ best: inout ThumbnailPicture, from reader: PictureReader, _ pictures: ThumbnailPictures
  ) throws(HoldfastError) {
    guard let times = try reader.measure() else { return }
    let length = times.end - reader.start
    let frame = try Frame()
    var seen: Set = [best.time]
    let places = [reader.start] + others.map { reader.start + Int64(Double(length) * $0) }
    for place in places {
      guard try decode(reader, at: place, frame) else { continue }
      guard seen.insert(reader.seconds(of: frame)).inserted else { continue }
      let other = try make(frame, from: reader, pictures)
      if other.score.value > best.score.value { best = other }
    }
    if best.score.fault != nil { try decodeOn(&best, from: reader, pictures) }
  }

  /// Searches for a picture that shows more among those that follow the best keyframe, as after a
  /// fade from black. It ends at a picture that shows enough.
  private static func decodeOn(
    _ best: inout ThumbnailPicture, from reader: PictureReader, _ pictures: ThumbnailPictures
  ) throws(HoldfastError) {
    let begin = reader.ticks(best.time)
    let end = reader.ticks(best.time + longestSearch)
    var decoded = 0
    var next = begin
    try reader.decode(from: begin) { frame throws(HoldfastError) in
      decoded += 1
      let time = frame.pointer.presentation ?? next
      guard time >= next else { return decoded < mostDecoded }
      next = time + reader.ticks(searchStep) - reader.start
      let other = try make(frame, from: reader, pictures)
      let isOver = reader.ticks(other.time) >= end
      if other.score.value > best.score.value { best = other }
      return decoded < mostDecoded && best.score.value < enough && !isOver
    }
  }

  /// Decodes a keyframe that the thumbnail can do without. Returns whether it could be decoded.
  private static func decode(
    _ reader: PictureReader, at place: Int64, _ frame: borrowing Frame
  ) throws(HoldfastError) -> Bool {
    do {
      try reader.decodeKeyframe(atOrBefore: place, into: frame)
      return true
    } catch {
      if error.code == .damaged { return false }
      throw error
    }
  }

  private static func make(
    _ frame: borrowing Frame, from reader: PictureReader, _ pictures: ThumbnailPictures
  ) throws(HoldfastError) -> ThumbnailPicture {
    try pictures.make(frame, time: reader.seconds(of: frame))
  }

  /// Makes a thumbnail of the picture that is shown at a time.
  private static func exact(
    _ job: ThumbnailJob, at seconds: Double, from source: OpenMedia, to output: OpenMedia,
    _ call: RunningCall
  ) throws(HoldfastError) -> ThumbnailReport {
    guard seconds >= 0, seconds.isFinite else {
      throw HoldfastError(
        .nothingToPlay, "it has no picture at \(seconds) s: choose a time from 0 s on")
    }
    let video = try MeasuredVideo(source, call: call)
    guard seconds <= video.length + MeasuredVideo.tolerance else {
      throw HoldfastError(
        .nothingToPlay,
        "its picture lasts \(video.length.thousandths) s; there is none at "
          + "\(seconds.thousandths) s: choose an earlier time")
    }
    var report: ThumbnailReport?
    try video.pictures(at: [seconds], longSide: job.longSide) { _, picture throws(HoldfastError) in
      report = try write(picture, because: .asked, job, to: output)
    }
    guard let report else { throw HoldfastError(.library, "no picture was found") }
    return report
  }

  private static func write(
    _ picture: borrowing ThumbnailPicture, because reason: FrameChoice.Reason, _ job: ThumbnailJob,
    to output: OpenMedia
  ) throws(HoldfastError) -> ThumbnailReport {
    let jpeg = try JPEG(picture.frame.pointer, quality: job.quality)
    try jpeg.write(to: output)
    return ThumbnailReport(
      size: picture.size,
      choice: FrameChoice(time: picture.time, score: picture.score.value, reason: reason),
      bytes: jpeg.count)
  }

  /// Makes a contact sheet of many pictures, each from the middle of its share of the length.
  private static func lay(
    _ sheet: ContactSheet, for job: ThumbnailJob, from source: OpenMedia, to output: OpenMedia,
    _ call: RunningCall
  ) throws(HoldfastError) -> ThumbnailReport {
    try SheetCanvas.checkShape(sheet)
    let video = try MeasuredVideo(source, call: call)
    let count = sheet.columns * sheet.rows
    let times = (0..<count).map { (Double($0) + 0.5) / Double(count) * video.length }
    // In shorter clips, whole seconds do not tell the pictures apart.
    let hasTenths = video.length < 60
    var canvas: SheetCanvas?
    try video.pictures(at: times, longSide: job.longSide) { number, picture throws(HoldfastError) in
      if canvas == nil {
        canvas = try SheetCanvas(sheet, cell: picture.size)
        call.willDecode(pixels: PictureLimit.pixels)
      }
      canvas?.add(picture, number: number, hasTenths: hasTenths)
    }
    guard let canvas = canvas.take() else {
      throw HoldfastError(.library, "no picture was found")
    }
    let jpeg = try JPEG(canvas.frame.pointer, quality: job.quality)
    try jpeg.write(to: output)
    let made = canvas.frame.pointer.pointee
    return ThumbnailReport(
      size: PictureSize(width: Int(made.width), height: Int(made.height)), choice: nil,
      bytes: jpeg.count)
  }
}
