internal import CFFmpeg
internal import HoldfastModel

/// The filters that bring a stored picture into the shape in which it is seen.
enum PictureFilters {
  /// The longer side of an encoded picture.
  static let longestSide = 4096

  /// The size of an encoded picture: square pixels, upright, even, at most ``longestSide``.
  static func encodedSize(of picture: PictureFormat) -> PictureSize {
    storedSize(of: picture).turned(by: picture.orientation)
  }

  /// The chain for an encode: H.264's 4:2:0 in BT.709, at ``encodedSize(of:)``.
  static func encoding(_ picture: PictureFormat, frame: UnsafeMutablePointer<AVFrame>) -> String {
    let size = storedSize(of: picture)
    let whole = picture.squarePixelSize
    var filters: [String] = []
    let isOnlyOdd =
      whole == PictureSize(width: picture.width, height: picture.height)
      && size.width <= whole.width && whole.width - size.width <= 1
      && size.height <= whole.height && whole.height - size.height <= 1
    if isOnlyOdd, size != whole {
      // A line less rather than a picture scaled by half a percent.
      filters.append("crop=\(size.width):\(size.height):0:0:exact=1")
    }
    filters.append(
      "scale=\(size.width):\(size.height):flags=bicubic:in_color_matrix=\(matrix(of: frame))"
        + ":out_color_matrix=bt709:out_range=tv")
    filters.append("format=yuv420p")
    filters += turning(picture.orientation)
    filters.append("setsar=1")
    return filters.joined(separator: ",")
  }

  /// The chain for a thumbnail: JPEG's 4:2:0 (full range, BT.601: JFIF 1.02) at `size`, which is
  /// the size as seen. The colours are converted from YUV to YUV, without a detour through RGB.
  static func thumbnail(
    _ picture: PictureFormat, size: PictureSize, frame: UnsafeMutablePointer<AVFrame>
  ) -> String {
    let stored = size.turned(by: picture.orientation)
    let matrix = matrix(of: frame)
    let isFull = frame.pointee.color_range == AVCOL_RANGE_JPEG || isJPEG(frame)
    // One range and one matrix go in and come out of the scaler: it only scales.
    let range = isFull ? "pc" : "tv"
    var filters = [
      "scale=\(stored.width):\(stored.height):flags=area:in_color_matrix=\(matrix)"
        + ":out_color_matrix=\(matrix):in_range=\(range):out_range=\(range)",
      "format=yuv420p",
      // Only matrix and range change: primaries and transfer are named alike on both sides.
      "colorspace=ispace=\(colorspaceName(matrix)):space=smpte170m:irange=\(range):range=pc"
        + ":iprimaries=bt709:primaries=bt709:itrc=bt709:trc=bt709:format=yuv420p",
    ]
    filters += turning(picture.orientation)
    return filters.joined(separator: ",")
  }

  private static func storedSize(of picture: PictureFormat) -> PictureSize {
    picture.squarePixelSize.fitted(longSide: longestSide).even
  }

  private static func turning(_ orientation: Orientation) -> [String] {
    var filters = orientation.isMirrored ? ["hflip"] : []
    switch orientation.clockwise {
    case 90: filters.append("transpose=clock")
    case 180: filters += ["hflip", "vflip"]
    case 270: filters.append("transpose=cclock")
    default: break
    }
    return filters
  }

  /// The scaler's name for the matrix of a frame. What says nothing is taken for BT.709 from 720
  /// lines on, and for BT.601 below, as players do.
  private static func matrix(of frame: UnsafeMutablePointer<AVFrame>) -> String {
    switch frame.pointee.colorspace {
    case AVCOL_SPC_BT709: "bt709"
    case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: "smpte170m"
    case AVCOL_SPC_SMPTE240M: "smpte240m"
    case AVCOL_SPC_FCC: "fcc"
    case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: "bt2020"
    default: frame.pointee.height >= 720 ? "bt709" : "smpte170m"
    }
  }

  private static func colorspaceName(_ matrix: String) -> String {
    matrix == "bt2020" ? "bt2020ncl" : matrix
  }

  private static func isJPEG(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P]
      .contains(AVPixelFormat(rawValue: frame.pointee.format))
  }
}
