import CFFmpeg
import CJPEG
package import HoldfastModel

/// Does the jobs of ``FFmpegEngine`` on the calling thread.
package struct FFmpegCalls: MediaCalls {
  private let call: RunningCall

  /// The largest single allocation that a file may cause in FFmpeg, in bytes. A picture of the
  /// largest size, 12 bits deep and 4:4:4, takes half of it. Some containers name a stream so late
  /// that FFmpeg opens a decoder before the picture's size is checked; this limit holds then too.
  private static let largestAllocation = 512 << 20

  /// Captures FFmpeg's messages and limits its allocations, once for the process. By default FFmpeg
  /// writes messages to standard error and allocates any amount.
  private static let isPrepared: Bool = {
    cff_log_capture()
    av_max_alloc(largestAllocation)
    return true
  }()

  /// Creates the calls of a worker process.
  ///
  /// - Parameter willDecode: Called with a number of pixels before the pictures of a file are
  ///   decoded, so that the process can be given enough memory. The number is that of the largest
  ///   picture in the file's header. It is called again if a decoded picture is larger, or a
  ///   contact sheet is drawn.
  package init(willDecode: @escaping @Sendable (_ pixels: Int) -> Void) {
    self.init(RunningCall(willDecode: willDecode))
  }

  init(_ call: RunningCall) {
    _ = Self.isPrepared
    self.call = call
  }

  package var steps: UInt64 { call.steps }
  package var header: UInt64? { call.header }

  package func perform(
    _ job: MediaJob, progress: @escaping @Sendable (Double) -> Void
  ) throws(HoldfastError) -> MediaReport {
    cff_log_clear()
    return switch job {
    case .probe(let source, let depth, _):
      .probed(try Probe.run(source, depth: depth, call: call))
    case .convert(let plan, let source, let output):
      .converted(
        try Conversion.run(
          plan, source: source, output: output,
          progress: { if !call.isCancelled { progress($0) } }, call: call))
    case .check(let report, let source, let output):
      .checked(try OutputCheck.run(report, source: source, output: output, call: call))
    case .thumbnail(let job, let source, let output):
      .drawn(try Thumbnail.run(job, source: source, output: output, call: call))
    case .measureSound(let source): .measured(try SoundMeter.run(source, call: call))
    case .decodeSound(let source, let output):
      .decoded(try SpeechDecode.run(source, output: output, call: call))
    case .photo(let source, let output):
      .photo(try Photo.run(source, output: output, call: call))
    case .waveform(let job, let output): .drawn(try Waveform.run(job, output: output))
    }
  }

  package func libraries() -> MediaLibraries {
    let numbers = [
      ("libavcodec", avcodec_version()), ("libavfilter", avfilter_version()),
      ("libavformat", avformat_version()), ("libavutil", avutil_version()),
      ("libswscale", swscale_version()),
    ]
    var versions = ["ffmpeg": String(cString: av_version_info())]
    for (name, number) in numbers { versions[name] = Conversion.version(number) }
    var zimg: (CUnsignedInt, CUnsignedInt, CUnsignedInt) = (0, 0, 0)
    if cff_zimg_version(&zimg.0, &zimg.1, &zimg.2) {
      versions["zimg"] = "\(zimg.0).\(zimg.1).\(zimg.2)"
    }
    versions["libjpeg"] = String(cString: cjpeg_version())
    var encoders: [String: Bool] = [:]
    for name in PictureTarget.encoders + [SoundTarget.aacEncoder] {
      encoders[name] = avcodec_find_encoder_by_name(name) != nil
    }
    return MediaLibraries(versions: versions, encoders: encoders)
  }
}
