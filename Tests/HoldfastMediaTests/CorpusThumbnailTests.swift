import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Real videos' thumbnails", .temporaryFolder, .enabled(if: Corpus.folder != nil))
struct CorpusThumbnailTests {
  private static let videos = Corpus.manifest.filter { $0.expect == .accept && $0.type == "video" }

  /// AVI keeps decode times alone: where its pictures are reordered, ffmpeg gives each a later time
  /// than a keyframe decoded by itself has.
  private static let reordered = [
    "evil/corrupt/opencv__Megamind_bugy.avi", "video/legacy/media__sample-with-large-length.avi",
  ]

  @Test("are the picture that ffmpeg shows at the time they name", arguments: videos)
  func likeFFmpeg(_ row: ManifestRow) async throws {
    let path = try #require(Corpus.path(row.path))
    if Self.reordered.contains(row.path) {
      await withKnownIssue { try await compare(path) }
    } else {
      try await compare(path)
    }
  }

  private func compare(_ path: String) async throws {
    let (report, picture) = try await thumbnail(path, ThumbnailJob(quality: 95))
    let choice = try #require(report.choice)
    let asked = try await thumbnail(path, ThumbnailJob(quality: 95, seconds: choice.time))
    #expect(abs((asked.report.choice?.time ?? .nan) - choice.time) < 0.0011)
    let (width, height) = (report.size.width, report.size.height)
    // What ssim can judge, of colours that need no tone mapping.
    let transfer = try await videoFields("color_transfer", of: path)
    guard min(width, height) >= 16, !transfer.hasPrefix("smpte2084"),
      !transfer.hasPrefix("arib")
    else { return }
    let reference = try await make(
      "\(UUID().uuidString).png",
      [
        "-i", path, "-map", "0:v:0", "-vf",
        "setpts=PTS-STARTPTS,select='gte(t,\(choice.time - 0.0015))',"
          + "scale=\(width):\(height):flags=area,format=rgb24", "-frames:v", "1",
      ])
    let alike = try await likeness(
      picture, "format=yuv420p", to: reference, "format=yuv420p")
    #expect(alike >= 0.95, "\(alike) \(choice)")
  }
}
