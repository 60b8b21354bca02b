import CFFmpeg
import HoldfastModel

/// The steps that the filter chains consist of.
extension PictureFilters {
  /// Makes one picture of two fields that were taken at different moments. Pictures marked as
  /// progressive pass unchanged.
  static func deinterlacing(_ frame: FrameShape) -> [String] {
    frame.isWoven ? ["bwdif=mode=send_frame:parity=auto:deint=interlaced"] : []
  }

  /// Puts transparent pictures on black. Later filters drop the alpha that is left.
  static func opaque(_ frame: FrameShape) -> [String] {
    let format = AVPixelFormat(rawValue: frame.format)
    guard frame.hasAlpha else {
      // The scaler would read a palette's colours as YUV.
      return format == AV_PIX_FMT_PAL8 ? ["format=gbrp"] : []
    }
    // premultiply accepts only these four formats, and no subsampled chroma.
    let isDeep = (av_pix_fmt_desc_get(format)?.pointee.comp.0.depth ?? 8) > 8
    let opaque = (frame.colour.isRGB ? "gbrap" : "yuva444p") + (isDeep ? "16le" : "")
    return ["format=\(opaque)", "premultiply=inplace=1"]
  }

  /// Cuts a line off a side, or adds a black one, if the sizes differ by one.
  static func cut(_ size: PictureSize, to wanted: PictureSize) -> [String] {
    guard size != wanted else { return [] }
    let kept = PictureSize(
      width: min(size.width, wanted.width), height: min(size.height, wanted.height))
    var filters: [String] = []
    if kept != size { filters.append("crop=\(kept.width):\(kept.height):0:0:exact=1") }
    if kept != wanted { filters.append("pad=\(wanted.width):\(wanted.height):0:0:black") }
    return filters
  }

  /// Scales pictures of standard colours. Returns no filter for pictures that are already as
  /// wanted.
  static func scaled(
    _ frame: FrameShape, to size: PictureSize, _ kernel: String, matrix: String, range: String,
    format: AVPixelFormat = AV_PIX_FMT_YUV420P
  ) -> [String] {
    let isAsWanted =
      frame.format == format.rawValue && frame.size == size
      && frame.colour.scalerMatrix == matrix && frame.colour.isFullRange == (range == "pc")
    guard !isAsWanted else { return [] }
    return [
      "scale=\(size.width):\(size.height):flags=\(kernel)"
        + ":in_color_matrix=\(frame.colour.scalerMatrix)"
        + ":in_range=\(frame.colour.isFullRange ? "pc" : "tv")"
        + ":out_color_matrix=\(matrix):out_range=\(range)",
      "format=\(format.name ?? "yuv420p")",
    ]
  }

  /// Scales pictures in high dynamic range and keeps that range: limited range and BT.2020's
  /// matrix, with the primaries and the transfer function of the stream.
  static func highColours(
    of frame: FrameShape, size: PictureSize, as target: FrameColour
  ) -> [String] {
    cut(frame.size, to: frame.size.even) + [
      frame.colour.parameters(
        transfer: frame.colour.isHDR ? frame.colour.transfer : AVCOL_TRC_BT709),
      "zscale=w=\(size.width):h=\(size.height):filter=bicubic:p=\(target.primaries.rawValue)"
        + ":t=\(target.transfer.rawValue):m=\(AVCOL_SPC_BT2020_NCL.rawValue):r=tv:npl=100",
    ]
  }

  /// Converts high dynamic range and wide gamut to what a standard screen shows. It scales first,
  /// because the later filters are slow and then have less to do. `output` has the options of the
  /// last zscale filter.
  static func standardColours(
    of frame: FrameShape, size: PictureSize, output: String
  ) -> [String] {
    // zimg refuses sides that the chroma does not divide, and frames with properties that are not
    // set. In standard range the transfer function stays as it is, whatever it is called.
    var filters =
      cut(frame.size, to: frame.size.even) + [
        frame.colour.parameters(
          transfer: frame.colour.isHDR ? frame.colour.transfer : AVCOL_TRC_BT709)
      ]
    let scale = "w=\(size.width):h=\(size.height):filter=bicubic"
    if frame.colour.isHDR {
      filters += [
        "zscale=\(scale):t=linear:npl=100", "format=gbrpf32le", "zscale=p=bt709",
        // The peak is fixed, because the one in the file may be nonsense and would then make
        // pictures black.
        "tonemap=hable:desat=0:peak=10",
        "zscale=\(output)",
      ]
    } else {
      filters.append("zscale=\(scale):p=bt709:\(output)")
    }
    return filters
  }
}

extension FrameShape {
  /// Whether the fields must be separated. bwdif needs at least 3 columns and 4 lines.
  var isWoven: Bool { isInterlaced && width >= 3 && height >= 4 }
}

extension FrameColour {
  /// Returns the filter that marks frames with their assumed properties.
  fileprivate func parameters(transfer: AVColorTransferCharacteristic) -> String {
    "setparams=color_primaries=\(primaries.rawValue):color_trc=\(transfer.rawValue)"
      + ":colorspace=\(matrix.rawValue):range=\(isFullRange ? "pc" : "tv")"
  }

  var scalerMatrix: String {
    switch matrix {
    case AVCOL_SPC_BT709: "bt709"
    case AVCOL_SPC_SMPTE240M: "smpte240m"
    case AVCOL_SPC_FCC: "fcc"
    case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: "bt2020"
    default: "smpte170m"
    }
  }
}

extension PictureSize {
  func isNearly(_ other: PictureSize) -> Bool {
    abs(width - other.width) <= 1 && abs(height - other.height) <= 1
  }
}
