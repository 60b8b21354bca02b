internal import CFFmpeg
internal import HoldfastModel

/// The steps that the chains are made of.
extension PictureFilters {
  /// One picture out of every picture whose two fields were taken at different moments; what is
  /// marked as progressive passes.
  static func deinterlacing(_ frame: FrameShape) -> [String] {
    frame.isWoven ? ["bwdif=mode=send_frame:parity=auto:deint=interlaced"] : []
  }

  /// Puts transparent pictures on black; the alpha that is left is dropped by what follows.
  static func opaque(_ frame: FrameShape) -> [String] {
    let format = AVPixelFormat(rawValue: frame.format)
    guard frame.hasAlpha else {
      // The scaler takes the colours of a palette for YUV.
      return format == AV_PIX_FMT_PAL8 ? ["format=gbrp"] : []
    }
    // premultiply knows these four, and no subsampled chroma.
    let isDeep = (av_pix_fmt_desc_get(format)?.pointee.comp.0.depth ?? 8) > 8
    let opaque = (frame.colour.isRGB ? "gbrap" : "yuva444p") + (isDeep ? "16le" : "")
    return ["format=\(opaque)", "premultiply=inplace=1"]
  }

  /// Takes a line off, or adds a black one, where a side differs by one.
  static func cut(_ size: PictureSize, to wanted: PictureSize) -> [String] {
    guard size != wanted else { return [] }
    let kept = PictureSize(
      width: min(size.width, wanted.width), height: min(size.height, wanted.height))
    var filters: [String] = []
    if kept != size { filters.append("crop=\(kept.width):\(kept.height):0:0:exact=1") }
    if kept != wanted { filters.append("pad=\(wanted.width):\(wanted.height):0:0:black") }
    return filters
  }

  /// Scales standard colours; nothing is done to pictures that are as they should be.
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

  /// Scales pictures in high dynamic range, and leaves it as it is: limited range and BT.2020's matrix, in
  /// the primaries and the transfer function of the stream.
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

  /// Brings high dynamic range and wide gamut to what a standard screen shows, scaling first: what
  /// comes after is slow, and then has less to do.
  ///
  /// - Parameter output: What zscale is told of its last output.
  static func standardColours(
    of frame: FrameShape, size: PictureSize, output: String
  ) -> [String] {
    let colour = frame.colour
    // zimg refuses sides that the chroma does not divide, and frames that leave anything unsaid.
    var filters = cut(frame.size, to: frame.size.even)
    // The transfer function of standard range stays as it is, whatever it is called.
    let transfer = colour.isHDR ? colour.transfer : AVCOL_TRC_BT709
    filters.append(colour.parameters(transfer: transfer))
    let scale = "zscale=w=\(size.width):h=\(size.height):filter=bicubic"
    if colour.isHDR {
      filters += [
        "\(scale):t=linear:npl=100", "format=gbrpf32le", "zscale=p=bt709",
        // The peak is fixed: the one in the file may be nonsense, and makes pictures black then.
        "tonemap=hable:desat=0:peak=10", "zscale=\(output)",
      ]
    } else {
      filters.append("\(scale):p=bt709:\(output)")
    }
    return filters
  }
}

extension FrameShape {
  /// Whether the fields must be taken apart; bwdif does that from 3 columns and 4 lines on.
  var isWoven: Bool { isInterlaced && width >= 3 && height >= 4 }
}

extension FrameColour {
  /// The filter that says of frames what they are taken for.
  fileprivate func parameters(transfer: AVColorTransferCharacteristic) -> String {
    "setparams=color_primaries=\(primaries.rawValue):color_trc=\(transfer.rawValue)"
      + ":colorspace=\(matrix.rawValue):range=\(isFullRange ? "pc" : "tv")"
  }

  /// The scaler's name for the matrix.
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
  /// Whether both sides differ by no more than a line.
  func isNearly(_ other: PictureSize) -> Bool {
    abs(width - other.width) <= 1 && abs(height - other.height) <= 1
  }
}
