import CFFmpeg
import HoldfastModel

/// The encoding of a picture: the encoder and the colours.
struct PictureTarget {
  let codec: PictureCodec
  /// The dynamic range that is kept; `nil` if the picture is converted to standard range in BT.709.
  let colour: FrameColour?
  private let size: PictureSize

  /// Chooses H.264 if nothing is planned. The size is that in the output, in pixels.
  init(
    _ planned: ConversionPlan.Stream?, of stream: UnsafeMutablePointer<AVStream>, size: PictureSize
  ) {
    self.size = size
    let wanted = planned?.codec ?? .h264
    var obstacle: String?
    if wanted == .hevc {
      if avcodec_find_encoder_by_name(Self.hevcEncoder) == nil {
        obstacle = "this FFmpeg has no libx265"
      } else if min(size.width, size.height) < Self.leastSide {
        obstacle = "the picture is too small for libx265"
      }
    }
    codec = obstacle == nil ? wanted : .h264
    self.obstacle = obstacle
    let colour = FrameColour(stream.parameters.pointee)
    self.colour = codec == .hevc && colour.isHDR ? colour : nil
  }

  /// The reason for H.264 although HEVC was asked for; `nil` if there is none.
  let obstacle: String?
  /// The shortest side that libx265 accepts, in pixels.
  private static let leastSide = 64

  private static let h264Encoder = "libx264"
  private static let hevcEncoder = "libx265"
  static let encoders = [h264Encoder, hevcEncoder]
  var encoder: String { codec == .hevc ? Self.hevcEncoder : Self.h264Encoder }

  /// The encoder's options, which the conversion report records.
  ///
  /// Measured by SSIM over clips of five phones, x265's preset and rate factor keep a picture as
  /// close to its source as x264's do (0.9864 against 0.9855 over all planes), in 1.3 to 2 times
  /// the processor time. Every slower preset took more than twice as long at 4K.
  var options: [(String, String)] {
    switch codec {
    case .h264:
      [("preset", "medium"), ("crf", "20"), ("profile", "high")]
        + (pixels > Self.largePixels ? [("rc-lookahead", "\(max(4, 40_000_000 / pixels))")] : [])
    case .hevc: [("preset", "superfast"), ("crf", "17"), ("profile", "main10")]
    }
  }

  /// From this size on, in pixels, libx264 looks at no more than 10 pictures ahead instead of 40.
  /// Each takes 20 MB at 4096 × 2304.
  private static let largePixels = 4_000_000
  private var pixels: Int { size.width * size.height }

  var pixelFormat: AVPixelFormat {
    codec == .hevc ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P
  }

  /// The most threads that an encoder may use: as many as FFmpeg's decoders use by default.
  private static let mostThreads: CInt = 16

  /// The options that limit an encoder's use of the processor.
  ///
  /// libx264's AVX-512 code for the macroblock tree (0.164, `mbtree_propagate_list`) reads eight
  /// macroblocks at a time. At the end of a row it reads whatever follows in memory. The
  /// quantisers, and so the pictures, would depend on what the memory held before. libx265's
  /// pictures depend on how many it encodes at a time, so that number is fixed. libx265 also writes
  /// its settings into the file unless told not to.
  func processorOptions(_ mastering: MasteringDisplay?) -> [(String, String)] {
    switch codec {
    case .h264:
      return av_get_cpu_flags() & AV_CPU_FLAG_AVX512 == 0 ? [] : [("x264-params", "asm=AVX2")]
    case .hevc:
      let threads = min(max(av_cpu_count(), 1), Self.mostThreads)
      var parameters = ["log-level=none", "info=0", "frame-threads=2", "pools=\(threads)"]
      if colour != nil, let mastering { parameters += mastering.encoderParameters }
      // With these figures libx265 would repeat its headers before each keyframe, which hvc1 does
      // not allow.
      parameters.append("repeat-headers=0")
      // A keyframe that is asked for would otherwise be an I picture that nothing can start at.
      return [("forced-idr", "1"), ("x265-params", parameters.joined(separator: ":"))]
    }
  }

  func configure(_ context: inout AVCodecContext) {
    context.pix_fmt = pixelFormat
    // libx264 uses half as many threads again as there are cores, and each has pictures of its own.
    // A memory limit needs an upper bound for that.
    if codec == .h264, av_cpu_count() * 3 / 2 > Self.mostThreads {
      context.thread_count = Self.mostThreads
    }
    context.color_range = AVCOL_RANGE_MPEG
    context.colorspace = colour == nil ? AVCOL_SPC_BT709 : AVCOL_SPC_BT2020_NCL
    context.color_primaries = colour?.primaries ?? AVCOL_PRI_BT709
    context.color_trc = colour?.transfer ?? AVCOL_TRC_BT709
  }
}

extension MasteringDisplay {
  /// The same figures as options of libx265, in the units of ITU-T H.265, D.2.28 and D.2.35.
  fileprivate var encoderParameters: [String] {
    var parameters: [String] = []
    if let display {
      let figures = display.map { "\($0)" }
      parameters.append(
        "master-display=G(\(figures[2]),\(figures[3]))B(\(figures[4]),\(figures[5]))"
          + "R(\(figures[0]),\(figures[1]))WP(\(figures[6]),\(figures[7]))"
          + "L(\(figures[9]),\(figures[8]))")
    }
    if let light { parameters.append("max-cll=\(light[0]),\(light[1])") }
    return parameters
  }
}
