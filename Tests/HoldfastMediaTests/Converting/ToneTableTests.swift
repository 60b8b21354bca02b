import CFFmpeg
import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastMedia

/// FFmpeg's filters take 115 ms of processor time for a 4K picture, and a table a third of it.
@Suite("A table of colours", .temporaryFolder)
struct ToneTableTests {
  /// The least SSIM between what the table makes of a picture and what FFmpeg's filters do.
  private static let least = 0.995

  /// Pictures in high dynamic range.
  struct Clip: Sendable, CustomTestStringConvertible {
    var name: String
    var transfer: String
    /// What ffmpeg makes them of; a file of the corpus if `nil`.
    var pattern: String?
    var size: (width: Int, height: Int)
    var location = "left"
    var range = "tv"
    var testDescription: String { "\(name), \(transfer), \(location), \(range)" }
  }

  /// What ffmpeg names as the properties of such pictures.
  private static func properties(of clip: Clip) -> String {
    "setparams=color_primaries=bt2020:color_trc=\(clip.transfer):colorspace=bt2020nc"
      + ":range=\(clip.range)"
  }

  /// FFmpeg's filters, up to linear RGB.
  private static func filters(_ clip: Clip, _ first: String = "") -> String {
    "\(properties(of: clip)),zscale=\(first)t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,"
      + "tonemap=hable:desat=0:peak=10"
  }

  private static let transfers = ["arib-std-b67", "smpte2084"]
  /// Every colour that 10 bits can hold, with 10,000 nits among them.
  private static let everyColour =
    "color=s=640x360:r=10:d=0.3,format=yuv444p10le,geq=lum='1023*X/639':cb='1023*Y/359'"
    + ":cr='1023*abs(sin(N*1.3+X/200+Y/90))'"
  private static let made =
    transfers.flatMap { transfer in
      let clips = [
        Clip(
          name: "pattern", transfer: transfer,
          pattern: "testsrc2=s=640x360:r=10:d=0.3,hue=s=\(Zimg.saturation)",
          size: (640, 360)),
        Clip(
          name: "pattern", transfer: transfer,
          pattern: "testsrc2=s=640x360:r=10:d=0.3,hue=s=\(Zimg.saturation)",
          size: (640, 360), location: "topleft"),
        Clip(
          name: "every colour", transfer: transfer, pattern: everyColour, size: (640, 360)),
        Clip(
          name: "every colour", transfer: transfer, pattern: everyColour, size: (640, 360),
          range: "pc"),
        Clip(
          name: "narrow", transfer: transfer,
          pattern: "testsrc2=s=66x200:r=10:d=0.2,hue=s=\(Zimg.cutsColours ? "0.05" : "0.4")",
          size: (66, 200)),
      ]
      return clips.filter { $0.name != "every colour" || !Zimg.cutsColours }
    }
  private static let real = [
    Clip(
      name: "video/iphone/media__dolbyVision-hdr.MOV", transfer: transfers[0], size: (1280, 720)),
    Clip(
      name: "video/iphone/media__sample_edit_list.mp4", transfer: transfers[0], size: (1920, 1080)),
    Clip(name: "video/mkv_webm/media__sample_av1.mkv", transfer: transfers[0], size: (720, 1280)),
    Clip(name: "video/android/media__hdr10-av1.mp4", transfer: transfers[1], size: (720, 1280)),
    Clip(
      name: "video/mkv_webm/OpenImageIO__vp9_rec2100_pq.mkv", transfer: transfers[1],
      size: (384, 216)),
    Clip(
      name: "video/mp4/media__sample_with_it35_track.mp4", transfer: transfers[1], size: (480, 270)),
  ]

  @Test("makes of patterns what FFmpeg's filters do", arguments: Extent.sample(made, every: 6))
  func patterns(_ clip: Clip) async throws {
    let source = try await make(
      "source.mkv",
      [
        "-f", "lavfi", "-i", try #require(clip.pattern), "-vf", "format=yuv420p10le", "-c:v",
        "ffv1",
      ])
    try await compare(clip, source)
  }

  @Test(
    "makes of real clips what FFmpeg's filters do", .notInSample,
    .enabled(if: Corpus.folder != nil, "there is no corpus"),
    arguments: Extent.sample(real, every: 3))
  func realClips(_ clip: Clip) async throws {
    try await compare(clip, try #require(Corpus.path(clip.name)))
  }

  private func compare(_ clip: Clip, _ source: String) async throws {
    let size = ["-s", "\(clip.size.width)x\(clip.size.height)"]
    let raw = ["-f", "rawvideo", "-pix_fmt"]
    let original = try await make(
      "original.yuv",
      ["-noautorotate", "-i", source, "-frames:v", "3", "-fps_mode", "passthrough"] + raw
        + ["yuv420p10le"])
    let exact = try await make(
      "exact.yuv",
      raw + ["yuv420p10le"] + size
        + [
          "-chroma_sample_location", clip.location, "-i", original, "-vf",
          Self.filters(clip, "filter=bicubic:")
            + ",zscale=t=bt709:m=bt709:r=tv:c=left,format=yuv420p,limiter=min=16:max=235:planes=1",
        ] + raw + ["yuv420p"])
    let ours = try convert(original, clip)
    let result = try await Command.output(
      of: "ffmpeg",
      raw + ["yuv420p"] + size + ["-i", ours] + raw + ["yuv420p"] + size
        + ["-i", exact, "-lavfi", "[0][1]ssim", "-f", "null", "-"])
    for plane in ["Y", "U", "V", "All"] {
      let text = try #require(result.errorOutput.components(separatedBy: " \(plane):").last)
      let likeness = try #require(Double(text.prefix { "0123456789.".contains($0) }))
      #expect(likeness >= Self.least, "\(plane)")
    }
    let levels = try await Command.output(
      of: "ffmpeg",
      ["-v", "error"] + raw + ["yuv420p"] + size + ["-i", ours, "-vf"]
        + ["signalstats,metadata=print:file=-", "-f", "null", "-"]
    ).output
    let lowest = levels.matches(of: /YMIN=([0-9]+)/).compactMap { Int($0.1) }.min()
    let highest = levels.matches(of: /YMAX=([0-9]+)/).compactMap { Int($0.1) }.max()
    #expect(try #require(lowest) >= 16 && #require(highest) <= 235)
  }

  /// Converts pictures without an encoder behind the table.
  private func convert(_ path: String, _ clip: Clip) throws -> String {
    let table = try ToneTable(
      ToneConversion(
        filters: Self.filters(clip) + ",format=gbrpf32le", after: ""),
      timeBase: AVRational(num: 1, den: 25))
    let input = try Data(contentsOf: URL(fileURLWithPath: path))
    var output = Data()
    var position = 0
    while position < input.count {
      let frame = try Frame()
      let picture = frame.pointer
      picture.pointee.format = AV_PIX_FMT_YUV420P10LE.rawValue
      picture.pointee.width = CInt(clip.size.width)
      picture.pointee.height = CInt(clip.size.height)
      picture.pointee.chroma_location =
        clip.location == "topleft" ? AVCHROMA_LOC_TOPLEFT : AVCHROMA_LOC_LEFT
      try #require(av_frame_get_buffer(picture, 0) == 0)
      for (plane, row) in rows(of: clip) {
        let (pointer, stride) = samples(picture, plane)
        let count = 2 * width(of: clip, plane)
        input.copyBytes(to: pointer + row * stride, from: position..<position + count)
        position += count
      }
      try table.convert(picture) { converted in
        for (plane, row) in rows(of: clip) {
          let (pointer, stride) = samples(converted, plane)
          output.append(pointer + row * stride, count: width(of: clip, plane))
        }
      }
    }
    let made = newPath("yuv")
    try output.write(to: URL(fileURLWithPath: made))
    return made
  }

  private func width(of clip: Clip, _ plane: Int) -> Int {
    plane == 0 ? clip.size.width : clip.size.width / 2
  }

  private func rows(of clip: Clip) -> [(plane: Int, row: Int)] {
    (0..<3).flatMap { plane in
      (0..<(plane == 0 ? clip.size.height : clip.size.height / 2)).map { (plane, $0) }
    }
  }

  private func samples(
    _ frame: UnsafeMutablePointer<AVFrame>, _ plane: Int
  ) -> (pointer: UnsafeMutablePointer<UInt8>, stride: Int) {
    let (data, sizes) = (frame.pointee.data, frame.pointee.linesize)
    let pointers = [data.0, data.1, data.2].compactMap(\.self)
    return (pointers[plane], Int([sizes.0, sizes.1, sizes.2][plane]))
  }
}
