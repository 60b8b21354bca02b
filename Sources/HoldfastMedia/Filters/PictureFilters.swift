import CFFmpeg
import HoldfastModel

/// The filters that turn a stored picture into the picture as it is seen.
enum PictureFilters {
  /// The longest side of an encoded picture, in pixels.
  static let longestSide = 4096

  /// Returns the size of an encoded picture: square pixels, upright, even, at most ``longestSide``,
  /// and at most `maxHeight` high.
  static func encodedSize(of picture: PictureFormat, maxHeight: Int?) -> PictureSize {
    // The height is made even before scaling. Cutting a line afterwards would change the shape.
    let height = (maxHeight ?? longestSide) / 2 * 2
    return picture.displaySize.fitted(longSide: longestSide).fitted(height: height).even
  }

  /// Returns the chain for an encode: 4:2:0 in the target's colours, at `size`, which is the size
  /// as seen.
  static func encoding(
    _ picture: PictureFormat, size: PictureSize, frame: FrameShape, as target: PictureTarget
  ) -> String {
    let canvas = size.turned(by: picture.orientation)
    let place = place(of: frame, in: picture, on: canvas)
    var filters = deinterlacing(frame) + opaque(frame)
    let format = target.pixelFormat.name ?? "yuv420p"
    if let colour = target.colour {
      filters += highColours(of: frame, size: place, as: colour)
      filters.append("format=\(format)")
    } else if frame.colour.isHDR || frame.colour.isWideGamut {
      filters += standardColours(of: frame, size: place, output: "t=bt709:m=bt709:r=tv")
      filters.append("format=\(format)")
      // Anything brighter than the end of the tone curve would leave the nominal range of video,
      // which has room beyond it. The limiter clips it.
      if frame.colour.isHDR, target.codec == .h264 {
        filters.append("limiter=min=16:max=235:planes=1")
      }
    } else {
      // Cut or add a line rather than scale the picture by half a percent.
      if place.isNearly(frame.size), frame.squarePixelSize == frame.size {
        filters += cut(frame.size, to: place)
      }
      filters += scaled(
        frame, to: place, "bicubic", matrix: "bt709", range: "tv", format: target.pixelFormat)
    }
    filters += bars(around: place, on: canvas) + turning(picture.orientation) + ["setsar=1"]
    return filters.joined(separator: ",")
  }

  /// Returns the chain for a thumbnail: JPEG's 4:2:0 (full range, BT.601: JFIF 1.02) at `size`,
  /// which is the size as seen. Standard colours are converted from YUV to YUV, without a detour
  /// through RGB.
  static func thumbnail(
    _ picture: PictureFormat, size: PictureSize, frame: FrameShape
  ) -> String {
    let canvas = size.turned(by: picture.orientation)
    let place = place(of: frame, in: picture, on: canvas)
    var filters: [String] = []
    if frame.isWoven {
      // With no other picture before or after it, bwdif would leave a single picture as it is.
      filters.append("loop=loop=1:size=1")
      filters += deinterlacing(frame)
    }
    filters += opaque(frame)
    var matrix = "smpte170m"
    var range = "tv"
    if frame.colour.isHDR || frame.colour.isWideGamut {
      // Colours that the screen does not have are cut off at RGB's limits. JPEG's YUV has no room
      // for them, and would take the nearest chroma at a wrong brightness.
      filters += standardColours(of: frame, size: place, output: "t=bt709:m=gbr:r=pc")
      filters += [
        "format=gbrp",
        "scale=flags=area+full_chroma_inp:out_color_matrix=\(matrix):out_range=\(range)",
        "format=yuv420p",
      ]
    } else {
      // The scaler is given the same range and matrix for input and output, so it only scales. Bars
      // are drawn with the black of video's range.
      matrix = frame.colour.scalerMatrix
      if frame.colour.isFullRange, place == canvas { range = "pc" }
      filters += scaled(frame, to: place, "area", matrix: matrix, range: range)
    }
    filters += bars(around: place, on: canvas)
    // Only matrix and range change, so primaries and transfer are named alike on both sides.
    filters.append(
      "colorspace=ispace=\(matrix == "bt2020" ? "bt2020ncl" : matrix):space=smpte170m"
        + ":irange=\(range):range=pc:iprimaries=bt709:primaries=bt709:itrc=bt709:trc=bt709"
        + ":format=yuv420p")
    filters += turning(picture.orientation)
    return filters.joined(separator: ",")
  }

  /// Returns the chain for a photo: upright, with 8 bits each of red, green and blue, and on white
  /// where it is transparent, as on paper.
  static func photo(_ frame: FrameShape, turned orientation: Orientation) -> String {
    // The scaler would read a palette's colours as YUV.
    let isPalette = frame.format == AV_PIX_FMT_PAL8.rawValue
    var filters = isPalette ? ["format=\(frame.hasAlpha ? "gbrap" : "gbrp")"] : []
    // What is premultiplied fades to black, so the negative of it fades to white.
    let onWhite = frame.hasAlpha ? ["negate", "premultiply=inplace=1", "negate"] : []
    if frame.colour.isHDR || frame.colour.isWideGamut {
      if frame.hasAlpha { filters += ["format=gbrap16le"] + onWhite }
      filters += standardColours(of: frame, size: frame.size.even, output: "t=bt709:m=gbr:r=pc")
    } else {
      filters.append(
        "scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp"
          + ":in_color_matrix=\(frame.colour.scalerMatrix)"
          + ":in_range=\(frame.colour.isFullRange ? "pc" : "tv"):out_range=pc")
      if frame.hasAlpha { filters += ["format=gbrap"] + onWhite }
    }
    return (filters + ["format=rgb24"] + turning(orientation)).joined(separator: ",")
  }

  /// Returns the size at which a frame is put on the canvas. Frames shaped like the stream's first
  /// fill it. A frame of another shape is fitted in without distortion.
  private static func place(
    of frame: FrameShape, in picture: PictureFormat, on canvas: PictureSize
  ) -> PictureSize {
    let whole = frame.squarePixelSize
    guard whole != picture.squarePixelSize else { return canvas }
    let scale = min(
      Double(canvas.width) / Double(whole.width), Double(canvas.height) / Double(whole.height))
    let fitted = PictureSize(
      width: Int((Double(whole.width) * scale).rounded()),
      height: Int((Double(whole.height) * scale).rounded())
    ).even
    // A difference of one or two lines comes from rounding and gets no bars.
    return PictureSize(
      width: canvas.width - fitted.width <= 2 ? canvas.width : fitted.width,
      height: canvas.height - fitted.height <= 2 ? canvas.height : fitted.height)
  }

  private static func bars(around place: PictureSize, on canvas: PictureSize) -> [String] {
    guard place != canvas else { return [] }
    let x = (canvas.width - place.width) / 4 * 2
    let y = (canvas.height - place.height) / 4 * 2
    return ["pad=\(canvas.width):\(canvas.height):\(x):\(y):black"]
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
}
