internal import CFFmpeg
internal import HoldfastModel

/// What a picture is encoded as: with which encoder, and in which colours.
struct PictureTarget {
  let codec: PictureCodec
  /// The dynamic range that stays; `nil` for standard range in BT.709, to which everything is brought.
  let colour: FrameColour?

  /// - Parameters:
  ///   - planned: What was asked for.
  ///   - stream: The stream that is encoded.
  ///   - size: Its size in the output.
  init(
    _ planned: ConversionPlan.Stream?, of stream: UnsafeMutablePointer<AVStream>, size: PictureSize
  ) {
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

  /// Why the picture is encoded as H.264 although HEVC was wanted; `nil` if it is not.
  let obstacle: String?
  /// The shortest side that libx265 takes, in pixels.
  private static let leastSide = 64

  private static let h264Encoder = "libx264"
  private static let hevcEncoder = "libx265"

  /// FFmpeg's names for the encoders.
  static let encoders = [h264Encoder, hevcEncoder]

  /// FFmpeg's name for the encoder.
  var encoder: String { codec == .hevc ? Self.hevcEncoder : Self.h264Encoder }

  /// What is asked of the encoder, and stays known with the recording.
  ///
  /// By SSIM over clips of five phones, x265's preset and factor leave a picture as like its source as
  /// x264's do (0.9864 against 0.9855 over all planes), in 1.3 to 2 times the processor time. Every
  /// slower preset took more than twice as long at 4K.
  var options: [(String, String)] {
    switch codec {
    case .h264: [("preset", "medium"), ("crf", "20"), ("profile", "high")]
    case .hevc: [("preset", "superfast"), ("crf", "17"), ("profile", "main10")]
    }
  }

  /// The format of the pictures that the encoder is given.
  var pixelFormat: AVPixelFormat {
    codec == .hevc ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P
  }

  /// As many threads as FFmpeg's decoders take by themselves.
  private static let mostThreads: CInt = 16

  /// What an encoder may use of the processor.
  ///
  /// libx264's AVX-512 code for the macroblock tree (0.164, `mbtree_propagate_list`) takes eight
  /// macroblocks at a time, and at the end of a row whatever lies behind it: quantisers, and so
  /// pictures, would depend on what the memory held before. libx265's pictures depend on how many are
  /// encoded at a time, and it writes its settings into the file unless it is told not to.
  func processorOptions(_ mastering: MasteringDisplay?) -> [(String, String)] {
    switch codec {
    case .h264:
      return av_get_cpu_flags() & AV_CPU_FLAG_AVX512 == 0 ? [] : [("x264-params", "asm=AVX2")]
    case .hevc:
      let threads = min(max(av_cpu_count(), 1), Self.mostThreads)
      var parameters = ["log-level=none", "info=0", "frame-threads=2", "pools=\(threads)"]
      if colour != nil, let mastering { parameters += mastering.encoderParameters }
      // With these figures it would repeat its headers in front of each keyframe, where hvc1 allows none.
      parameters.append("repeat-headers=0")
      return [("x265-params", parameters.joined(separator: ":"))]
    }
  }

  func configure(_ context: inout AVCodecContext) {
    context.pix_fmt = pixelFormat
    // libx264 takes half as many again as there are cores, each with pictures of its own: a limit
    // on memory must know of an end to that.
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
  /// The same in libx265's words, which are the units of ITU-T H.265, D.2.28 and D.2.35.
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
