import CFFmpeg
import HoldfastModel

/// A picture in a thumbnail's size and colours.
struct ThumbnailPicture: ~Copyable {
  let frame: Frame
  /// When it is shown, in seconds after the presented start.
  let time: Double
  let score: PictureScore

  var size: PictureSize {
    PictureSize(width: Int(frame.pointer.pointee.width), height: Int(frame.pointer.pointee.height))
  }
}

/// Makes the pictures of thumbnails from decoded ones, with filters that are built once for each
/// shape.
final class ThumbnailPictures {
  private let size: PictureSize
  private let picture: PictureFormat
  private let stream: UnsafeMutablePointer<AVStream>
  private var filters: FilterGraph?
  private var filtersShape: FrameShape?

  /// Prepares for the pictures of a stream; `longSide` is in pixels. `nil` if the header names
  /// another size than the picture has: the stream must then be described first.
  init?(of reader: PictureReader, first frame: borrowing Frame, longSide: Int) {
    stream = reader.stream
    guard var picture = stream.describe(in: reader.demuxer.context).picture else { return nil }
    if reader.demuxer.isKnownByHeader {
      let shape = FrameShape(frame.pointer, of: stream)
      guard shape.size == PictureSize(width: picture.width, height: picture.height) else {
        return nil
      }
      // Only the codec may know the shape of the pixels.
      picture = PictureFormat(
        width: picture.width, height: picture.height,
        pixelAspectWidth: Int(shape.pixelAspectWidth),
        pixelAspectHeight: Int(shape.pixelAspectHeight), orientation: picture.orientation)
    }
    self.picture = picture
    size = picture.displaySize.fitted(longSide: longSide).even
  }

  /// Makes the picture of a thumbnail. The decoded frame is left empty. The time is in seconds
  /// after the presented start.
  func make(_ frame: borrowing Frame, time: Double) throws(HoldfastError) -> ThumbnailPicture {
    // The filters need a time. With a single frame, any time will do.
    frame.pointer.pointee.pts = 0
    let shape = FrameShape(frame.pointer, of: stream)
    if shape != filtersShape { filters = nil }
    let filters: FilterGraph
    if let built = self.filters {
      filters = built
    } else {
      filters = try FilterGraph(
        PictureFilters.thumbnail(picture, size: size, frame: shape), for: frame.pointer,
        timeBase: stream.timeBase)
    }
    let filtered = try Frame()
    let made = try Frame()
    let target = made.pointer
    func keepFirst(_ frame: UnsafeMutablePointer<AVFrame>) {
      if target.pointee.width == 0 { av_frame_move_ref(target, frame) }
    }
    try filters.filter(frame.pointer, into: filtered.pointer, keepFirst)
    self.filters = filters
    if target.pointee.width == 0 {
      // Some filters keep the picture until the end, and accept no other after that.
      self.filters = nil
      try filters.filter(nil, into: filtered.pointer, keepFirst)
    }
    filtersShape = shape
    guard target.pointee.width > 0 else {
      throw HoldfastError(.library, "the filters gave no picture")
    }
    return ThumbnailPicture(frame: made, time: time, score: PictureScore(target))
  }
}
