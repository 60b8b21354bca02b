import CFFmpeg
import HoldfastModel

/// The properties of frames that filters are built for. Frames of the same shape use the same
/// filters.
struct FrameShape: Equatable {
  let format: CInt
  let width: CInt
  let height: CInt
  /// The width and height of a pixel, as a ratio; not positive if nothing says so.
  let pixelAspectWidth: CInt
  let pixelAspectHeight: CInt
  let colour: FrameColour
  let hasAlpha: Bool
  /// Whether the picture consists of two interlaced fields.
  var isInterlaced: Bool
  let sampleRate: CInt
  let channels: CInt
  private let channelMask: UInt64

  init(
    _ frame: UnsafeMutablePointer<AVFrame>, of stream: UnsafeMutablePointer<AVStream>?
  ) {
    format = frame.pointee.format
    width = frame.pointee.width
    height = frame.pointee.height
    // The container's value comes before the codec's, as in players.
    let aspect = av_guess_sample_aspect_ratio(nil, stream, frame)
    pixelAspectWidth = aspect.num
    pixelAspectHeight = aspect.den
    colour = FrameColour(frame)
    hasAlpha = frame.hasAlpha
    isInterlaced = cff_is_interlaced(frame)
    sampleRate = frame.pointee.sample_rate
    channels = frame.pointee.ch_layout.nb_channels
    channelMask = frame.pointee.ch_layout.u.mask
  }

  var size: PictureSize { PictureSize(width: Int(width), height: Int(height)) }

  var squarePixelSize: PictureSize {
    PictureFormat(
      width: Int(width), height: Int(height), pixelAspectWidth: Int(pixelAspectWidth),
      pixelAspectHeight: Int(pixelAspectHeight)
    ).squarePixelSize
  }
}

/// The meaning of a frame's samples: FFmpeg's four properties. Missing ones are filled in as
/// players do.
struct FrameColour: Equatable {
  let primaries: AVColorPrimaries
  let transfer: AVColorTransferCharacteristic
  let matrix: AVColorSpace
  let isFullRange: Bool
  let isRGB: Bool

  init(_ frame: UnsafeMutablePointer<AVFrame>) {
    self.init(
      AVPixelFormat(rawValue: frame.pointee.format), height: frame.pointee.height,
      primaries: frame.pointee.color_primaries, transfer: frame.pointee.color_trc,
      matrix: frame.pointee.colorspace, range: frame.pointee.color_range)
  }

  /// Reads the description in a stream's header.
  init(_ parameters: AVCodecParameters) {
    self.init(
      AVPixelFormat(rawValue: parameters.format), height: parameters.height,
      primaries: parameters.color_primaries, transfer: parameters.color_trc,
      matrix: parameters.color_space, range: parameters.color_range)
  }

  private init(
    _ format: AVPixelFormat, height: CInt, primaries given: AVColorPrimaries,
    transfer: AVColorTransferCharacteristic, matrix: AVColorSpace, range: AVColorRange
  ) {
    let flags = av_pix_fmt_desc_get(format)?.pointee.flags ?? 0
    self.transfer = transfer
    // A palette is RGB, although it lacks the flag.
    isRGB = flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 || format == AV_PIX_FMT_PAL8
    isFullRange =
      isRGB || range == AVCOL_RANGE_JPEG || Self.jpegFormats.contains(format)
    let isHDR = Self.highTransfers.contains(transfer)
    primaries =
      Self.knownPrimaries.contains(given) ? given : isHDR ? AVCOL_PRI_BT2020 : AVCOL_PRI_BT709
    self.matrix =
      if isRGB {
        AVCOL_SPC_RGB
      } else if Self.knownMatrices.contains(matrix) {
        matrix
      } else if isHDR || primaries == AVCOL_PRI_BT2020 {
        AVCOL_SPC_BT2020_NCL
      } else {
        // Pictures that name no matrix are BT.709 if they are large, and BT.601 if they are small.
        height >= 720 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M
      }
  }

  /// Whether samples can be brighter than the white of a standard screen.
  var isHDR: Bool { Self.highTransfers.contains(transfer) }

  /// Whether colours of standard brightness can be outside what a standard screen shows.
  var isWideGamut: Bool { !isHDR && Self.widePrimaries.contains(primaries) }

  private static let highTransfers = [AVCOL_TRC_ARIB_STD_B67, AVCOL_TRC_SMPTE2084]
  static let widePrimaries = [AVCOL_PRI_BT2020, AVCOL_PRI_SMPTE431, AVCOL_PRI_SMPTE432]
  /// The primaries that zimg can convert. The others are reserved, or nonsense.
  private static let knownPrimaries =
    widePrimaries + [
      AVCOL_PRI_BT709, AVCOL_PRI_BT470M, AVCOL_PRI_BT470BG, AVCOL_PRI_SMPTE170M,
      AVCOL_PRI_SMPTE240M, AVCOL_PRI_FILM, AVCOL_PRI_SMPTE428, AVCOL_PRI_EBU3213,
    ]
  private static let knownMatrices = [
    AVCOL_SPC_BT709, AVCOL_SPC_FCC, AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_SMPTE240M,
    AVCOL_SPC_YCGCO, AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL, AVCOL_SPC_ICTCP,
  ]
  private static let jpegFormats = [
    AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P,
    AV_PIX_FMT_YUVJ411P,
  ]
}

extension UnsafeMutablePointer where Pointee == AVFrame {
  fileprivate var hasAlpha: Bool {
    let format = AVPixelFormat(rawValue: pointee.format)
    // For sound, `format` is the number of a sample format, which means something else as a pixel
    // format.
    guard pointee.width > 0, let description = av_pix_fmt_desc_get(format),
      description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    else { return false }
    guard format == AV_PIX_FMT_PAL8 else { return true }
    // Old formats have no alpha in their palettes, and not every decoder fills it in. So a palette
    // in which everything is transparent says nothing.
    guard let palette = pointee.data.1 else { return false }
    return palette.withMemoryRebound(to: UInt32.self, capacity: 256) { colours in
      let alphas = UnsafeBufferPointer(start: colours, count: 256).map { $0 >> 24 }
      return alphas.contains(0xFF) && alphas.contains { $0 < 0xFF }
    }
  }
}
