import CFFmpeg
import HoldfastModel

/// A video that was read whole, so that it is known when each picture is shown.
struct MeasuredVideo {
  /// The seconds that are added to a time to find its picture. A time that was printed with three
  /// decimals then finds its own picture, because rounding took away half a millisecond at most.
  static let tolerance = 0.000_5

  /// The presented duration of its pictures, in seconds.
  let length: Double
  private let times: PictureTimes
  private let start: Int64
  private let source: OpenMedia
  private let call: RunningCall

  /// Reads all packets of the first video stream of `source`. Throws if none says when its picture
  /// is shown.
  init(_ source: OpenMedia, call: RunningCall) throws(HoldfastError) {
    self.source = source
    self.call = call
    let demuxer = try Demuxer(source, description: .header, call: call)
    let stream = try demuxer.movingPicture()
    guard let times = try demuxer.measure(stream, try Packet()) else {
      throw HoldfastError(.damaged, "none of its pictures has a presentation time")
    }
    self.times = times
    start = times.shown.min() ?? 0
    let ticks = Double(times.numerator) / Double(times.denominator)
    length = max(0, Double(times.end - start) * ticks)
  }

  /// Makes the pictures that are shown at some times, in seconds after the presented start and in
  /// rising order. `longSide` is in pixels. `body` gets the position of the time in `seconds`, and
  /// the picture.
  func pictures(
    at seconds: [Double], longSide: Int,
    _ body: (Int, consuming ThumbnailPicture) throws(HoldfastError) -> Void
  ) throws(HoldfastError) {
    // The decoder can only put pictures in order if it knows how far they are reordered, which only
    // some headers say.
    let reader = try PictureReader(source, description: .whole, start: start, call: call)
    var pictures: ThumbnailPictures?
    let ticks = seconds.map { reader.ticks($0 + Self.tolerance) }
    try reader.pictures(at: ticks, of: times) { number, frame throws(HoldfastError) in
      if pictures == nil {
        pictures = ThumbnailPictures(of: reader, first: frame, longSide: longSide)
      }
      guard let pictures else { throw HoldfastError(.library, "its picture has no size") }
      try body(number, try pictures.make(frame, time: reader.seconds(of: frame)))
    }
  }
}
