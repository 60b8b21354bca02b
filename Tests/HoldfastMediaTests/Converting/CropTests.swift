import HoldfastModel
import HoldfastTestSupport
import Testing

/// FFmpeg cut less off the left side than the stream says, and the picture came out squashed.
@Suite("Cropped pictures", .temporaryFolder)
struct CropTests {
  @Test(
    "A crop that is not aligned is exact",
    arguments: [
      ("libx264", "h264_metadata=crop_left=6:crop_right=20:crop_top=4"),
      ("libx265", "hevc_metadata=crop_left=6:crop_right=20:crop_top=4"),
    ])
  func unaligned(codec: String, crop: String) async throws {
    let source = ["-f", "lavfi", "-i", "testsrc2=size=160x120:rate=10:duration=1"]
    let options = ["-c:v", codec, "-pix_fmt", "yuv420p", "-x265-params", "log-level=none"]
    let whole = try await make("whole.mkv", source + options)
    let cropped = try await make("cropped.mkv", ["-i", whole, "-c", "copy", "-bsf:v", crop])
    let made = try await convert(cropped, policy: .h264)
    try await made.check()
    #expect(made.report.encodedSize == PictureSize(width: 134, height: 116))
    let likeness = try await likeness(made.path, to: whole, "crop=134:116:6:4:exact=1")
    #expect(likeness > 0.95)
    let (report, _) = try await thumbnail(cropped)
    #expect(report.size == PictureSize(width: 134, height: 116))
  }
}
