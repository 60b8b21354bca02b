import Foundation
import HoldfastTestSupport
import Testing

@Suite("Memory", .temporaryFolder)
struct MemoryTests {
  @Test(
    "Copying a clip of some 300 MB uses less than 150 MB of memory", .notInSample,
    .timeLimit(.minutes(40)))
  func copy() async throws {
    let clip = temporary("large.mp4")
    // Noise does not compress: five seconds of it, over and over.
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-f", "lavfi",
        "-i", "nullsrc=size=1280x720:rate=30:duration=4,geq=random(1)*255:128:128",
        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-b:v", "22M",
        "-maxrate", "22M", "-bufsize", "22M", temporary("noise.mp4"),
      ])
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-stream_loop", "26", "-i", temporary("noise.mp4"), "-c", "copy", "-t",
        "108", clip,
      ])
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: clip)[.size] as? Int)
    try #require(size > 250_000_000, "\(size)")
    let library = LibraryFolder()
    let figure = temporary("figure")
    // wait4's own figure, in kilobytes.
    let holdfast = try Command.holdfast
    let result = try await Command.run(
      "time",
      ["-f", "%M", "-o", figure, holdfast] + library.command(["import", "--quiet", clip]))
    try #require(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.contains("picture copied"))
    let text = String(decoding: try Data(contentsOf: URL(filePath: figure)), as: UTF8.self)
    let peak = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(peak < 150 * 1024, "\(peak) kB")
    print("peak of a \(size / 1_000_000) MB copy: \(peak / 1024) MB")
  }
}
