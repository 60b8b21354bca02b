import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("An encode's quality", .temporaryFolder, .notInSample)
struct EncodeQualityTests {
  /// A clip whose encode is compared with ffmpeg's.
  struct Clip: Sendable, CustomTestStringConvertible {
    var name: String
    var source: String
    var options: [String]
    var testDescription: String { name }
  }

  private static let lossless = ["-c:v", "ffv1", "-pix_fmt", "yuv420p", "-colorspace", "bt709"]
  private static let clips = [
    Clip(
      name: "steady.mkv", source: "mandelbrot=s=640x360:r=30:end_scale=0.1",
      options: ["-t", "2"] + lossless),
    Clip(
      name: "noisy.mkv", source: "testsrc2=s=480x270:r=25:d=3,noise=alls=12:allf=t",
      options: lossless),
    Clip(
      name: "uneven.mkv", source: "mandelbrot=s=480x270:r=60:end_scale=0.1",
      options: [
        "-t", "2", "-vf", "select='lt(mod(n,20),6)+not(mod(n,7))'", "-fps_mode", "passthrough",
      ] + lossless),
    // Neither a rate nor a duration in the header, and a clock of 90 kHz.
    Clip(
      name: "no-rate.ts", source: "mandelbrot=s=480x270:r=24:end_scale=0.1",
      options: ["-t", "2", "-c:v", "mpeg2video", "-q:v", "2", "-colorspace", "bt709"]),
  ]

  @Test(
    "is at least that of ffmpeg, at no more than its size",
    arguments: Extent.sample(clips, every: 8))
  func quality(_ clip: Clip) async throws {
    let source = try await make(clip.name, ["-f", "lavfi", "-i", clip.source] + clip.options)
    let made = try await convert(source, policy: .h264)
    let reference = try await make(
      "reference.mov",
      [
        "-i", source, "-c:v", "libx264", "-preset", "medium", "-crf", "20", "-pix_fmt", "yuv420p",
        "-fps_mode", "passthrough",
      ])
    let ours = try await likeness(made.path, to: source)
    let theirs = try await likeness(reference, to: source)
    #expect(ours >= theirs - 0.002)
    let (size, theirSize) = (try bytes(made.path), try bytes(reference))
    #expect(Double(size) <= Double(theirSize) * 1.02)
  }

  private func bytes(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
  }

  @Test(
    "is derived from a likely rate, whatever the file's clock is",
    arguments: [
      ("live.webm", ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-f", "webm", "-live", "1"]),
      // ffprobe has no average for a single packet.
      ("one.ts", ["-c:v", "mpeg4", "-frames:v", "1"]),
      ("slow.mkv", ["-c:v", "ffv1", "-vf", "setpts=N/0.5/TB", "-fps_mode", "passthrough"]),
      (
        "bursts.mkv",
        ["-c:v", "ffv1", "-vf", "setpts='if(gt(N,0),PREV_OUTPTS+if(mod(N,2),0.001,0.1)/TB,0)'"]
          + ["-enc_time_base", "1/1000", "-fps_mode", "passthrough"]
      ),
    ])
  func rate(_ name: String, _ options: [String]) async throws {
    let source = try await make(
      name, ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=15:d=2", "-pix_fmt", "yuv420p"] + options)
    let made = try await convert(source, policy: .h264)
    try await made.check()
    // If libx264 counted a clock's 1,000 or 90,000 ticks as pictures, it would choose the highest
    // level, 6.2.
    let level = try #require(Int(try await videoFields("level", of: made.path)))
    #expect(level <= 21)
  }

  @Test("keeps each picture's own time, one after the other, on the source's clock")
  func times() async throws {
    let source = try await make(
      "uneven.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=1000:d=0.5", "-vf",
        "select='not(mod(n,7))+not(mod(n,11))'", "-fps_mode", "passthrough", "-c:v", "ffv1",
        "-pix_fmt", "yuv420p",
      ])
    let made = try await convert(source)
    try await made.check()
    let before = try await FFprobe.packets(source).compactMap(\.presentationTime).sorted()
    let after = try await FFprobe.packets(made.path).compactMap(\.presentationTime).sorted()
    #expect(after.count == before.count)
    for (old, new) in zip(before, after) { #expect(abs(old - before[0] - new) < 0.00011) }
    #expect(Set(after).count == after.count)
    let clock = try await videoFields("time_base", of: made.path)
    let ticks = try #require(clock.split(separator: "/").last.flatMap { Int($0) })
    #expect(ticks % 1000 == 0)
  }
}
