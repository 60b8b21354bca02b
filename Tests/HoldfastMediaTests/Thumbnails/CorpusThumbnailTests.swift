import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite(
  "Real videos' thumbnails", .temporaryFolder, .notInSample, .enabled(if: Corpus.folder != nil))
struct CorpusThumbnailTests {
  private static let videos = Corpus.manifest.filter { $0.expect == .accept && $0.type == "video" }

  /// AVI has only decode times. ffmpeg shows reordered pictures when they leave the decoder, so it
  /// misses a gap among the first: the picture is identified by its number.
  private static let reordered = [
    "evil/corrupt/opencv__Megamind_bugy.avi", "video/legacy/media__sample-with-large-length.avi",
  ]

  @Test(
    "are the pictures that ffmpeg shows at their times",
    arguments: Extent.sample(videos, every: 10))
  func likeFFmpeg(_ row: ManifestRow) async throws {
    let path = try #require(Corpus.path(row.path))
    try await compare(path)
  }

  private func compare(_ path: String) async throws {
    let (report, picture) = try await thumbnail(path, ThumbnailJob(quality: 95))
    let choice = try #require(report.choice)
    let asked = try await thumbnail(path, ThumbnailJob(quality: 95, seconds: choice.time))
    #expect(abs((asked.report.choice?.time ?? .nan) - choice.time) < 0.0011)
    let (width, height) = (report.size.width, report.size.height)
    // Pictures that ssim can judge, in colours that need no tone mapping.
    let transfer = try await videoFields("color_transfer", of: path)
    guard min(width, height) >= 16, !transfer.hasPrefix("smpte2084"),
      !transfer.hasPrefix("arib")
    else { return }
    let isReordered = Self.reordered.contains { path.hasSuffix($0) }
    let wanted =
      isReordered
      ? "eq(n,\(try await number(ofPictureAt: choice.time, in: path)))"
      : "gte(t,\(choice.time - 0.0015))"
    let reference = try await make(
      "\(UUID().uuidString).png",
      // From FFmpeg 7.1 on, ffmpeg crops to the clean aperture; few players do.
      (FFmpegRelease.major < 7 ? [] : ["-apply_cropping", "codec"]) + [
        "-i", path, "-map", "0:v:0", "-vf",
        "setpts=PTS-STARTPTS,select='\(wanted)',"
          + "scale=\(width):\(height):flags=area,format=rgb24", "-frames:v", "1",
      ])
    // Both in video range: from FFmpeg 7 on, each would keep its own.
    let range = "out_range=tv:out_color_matrix=bt601,format=yuv420p"
    let alike = try await likeness(
      picture, "scale=in_range=pc:in_color_matrix=bt601:\(range)", to: reference, "scale=\(range)")
    #expect(alike >= 0.95, "\(alike) \(choice)")
  }

  /// The first picture is shown when the first packet is stored, and so on.
  private func number(ofPictureAt seconds: Double, in path: String) async throws -> Int {
    let stored = try await Command.output(
      of: "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=dts_time", "-of",
        "default=nk=1:nw=1", path,
      ]
    ).output.split(separator: "\n").compactMap { Double($0) }
    let first = try #require(stored.first)
    return stored.count { $0 - first <= seconds + 0.0015 } - 1
  }
}
