import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A thumbnail at a time", .temporaryFolder)
struct ThumbnailTimeTests {
  /// A way of storing pictures whose times are error-prone.
  struct Storage: Sendable, CustomTestStringConvertible {
    var name: String
    var options: [String]
    var filters = "null"
    var testDescription: String { name }

    /// Makes a clip whose pictures all differ clearly.
    func clip() async throws -> String {
      try await make(
        name,
        [
          "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=1.6", "-vf",
          "hue=h='n*47':s=1.2,\(filters)", "-pix_fmt", "yuv420p",
        ] + options)
    }
  }

  private static let reordered = [
    "-c:v", "libx264", "-g", "12", "-bf", "3", "-sc_threshold", "0", "-crf", "12",
  ]
  private static let kinds = [
    Storage(name: "reordered.mov", options: reordered),
    Storage(
      name: "open.mp4", options: reordered + ["-x264-params", "open-gop=1:b-pyramid=normal"]),
    Storage(
      name: "variable.mp4", options: reordered + ["-fps_mode", "vfr"],
      filters: "select='not(between(n,8,17))*not(eq(mod(n,5),3))'"),
    Storage(name: "reordered.mkv", options: reordered),
    Storage(name: "stream.ts", options: reordered),
    Storage(
      name: "old.ts", options: ["-c:v", "mpeg2video", "-g", "8", "-bf", "2", "-q:v", "2"]),
    Storage(name: "old.avi", options: ["-c:v", "mpeg4", "-g", "10", "-q:v", "2"]),
    Storage(
      name: "hevc.mov",
      options: ["-c:v", "libx265", "-crf", "12", "-x265-params", "keyint=12:log-level=none"]),
    Storage(
      name: "vp9.webm", options: ["-c:v", "libvpx-vp9", "-g", "10", "-crf", "12", "-b:v", "0"]),
  ]

  private static let small = "16:9:flags=area"

  /// When ffmpeg shows each picture of a clip, in seconds after the first.
  private func times(_ path: String) async throws -> [Double] {
    let output = try await Command.output(
      of: "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries",
        "frame=best_effort_timestamp_time",
        "-of", "csv=p=0", path,
      ]
    ).output
    let times = output.split(whereSeparator: { "\n,".contains($0) }).compactMap { Double($0) }
    return times.map { $0 - (times.first ?? 0) }
  }

  /// Every picture of a file in RGB, as ffmpeg decodes it, small enough to compare many quickly.
  private func pictures(_ path: String) async throws -> [[UInt8]] {
    let bytes = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-i", path, "-fps_mode", "passthrough", "-vf", "scale=\(Self.small)", "-f",
        "rawvideo", "-pix_fmt", "rgb24", "-",
      ]
    ).outputBytes
    let size = 16 * 9 * 3
    return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<$0 + size]) }
  }

  @Test(
    "is the picture that ffmpeg shows then, to the frame", arguments: Extent.sample(kinds, every: 8)
  )
  func exact(_ kind: Storage) async throws {
    let source = try await kind.clip()
    let (times, pictures) = (try await times(source), try await pictures(source))
    try #require(times.count == pictures.count && times.count >= 20)
    for (number, time) in times.enumerated() {
      // At the printed time, and in the middle of the picture's time.
      let next = number + 1 < times.count ? times[number + 1] : time + 0.04
      let printed = (time * 1000).rounded() / 1000
      for seconds in number % 3 == 0 ? [printed, (time + next) / 2] : [printed] {
        let (report, path) = try await thumbnail(
          source, ThumbnailJob(quality: 95, seconds: seconds))
        #expect(report.choice?.reason == .asked)
        #expect(abs((report.choice?.time ?? .nan) - time) < 0.001, "\(seconds) s")
        let ours = try await samples(path, filters: "scale=\(Self.small)")
        let distances = try pictures.map { try distance(ours, $0) }
        let nearest = try #require(distances.indices.min { distances[$0] < distances[$1] })
        #expect(nearest == number, "\(seconds) s")
      }
    }
  }

  @Test(
    "beyond the end is refused with the length and the way out",
    arguments: Extent.sample(kinds, every: 8))
  func behindTheEnd(_ kind: Storage) async throws {
    let source = try await kind.clip()
    for seconds in [1.7, 20] {
      let error = try await #require(throws: HoldfastError.self) {
        try await thumbnail(source, ThumbnailJob(seconds: seconds))
      }
      #expect(error.code == .nothingToPlay)
      #expect(error.reason.contains("lasts 1.6 s"), "\(error)")
      #expect(error.reason.contains("at \(seconds == 20 ? "20" : "1.7") s: choose an earlier time"))
    }
    _ = try await thumbnail(source, ThumbnailJob(seconds: 1.6))
  }

  @Test("An impossible time is refused", arguments: [-1, -0.001, .infinity, .nan] as [Double])
  func noTime(_ seconds: Double) async throws {
    await #expect(throws: HoldfastError.self) {
      try await thumbnail(Fixtures.path("silent-video.mp4"), ThumbnailJob(seconds: seconds))
    }
  }

  @Test("follows the edit list, and shows nothing that it hides")
  func editList() async throws {
    let whole = try await Self.kinds[0].clip()
    // Cut in the middle of a group of pictures: the earlier ones are decoded, and hidden.
    let source = try await make("cut.mp4", ["-ss", "0.7", "-i", whole, "-c", "copy"])
    let hidden = try await FFprobe.packets(source).filter { $0.flags.contains("D") }
    try #require(!hidden.isEmpty)
    let (times, pictures) = (try await times(source), try await pictures(source))
    for seconds in [0, 0.3, 0.5] {
      let number = try #require(times.lastIndex { $0 <= seconds + 0.0005 })
      let (report, path) = try await thumbnail(source, ThumbnailJob(quality: 95, seconds: seconds))
      #expect(abs((report.choice?.time ?? .nan) - times[number]) < 0.001)
      let ours = try await samples(path, filters: "scale=\(Self.small)")
      #expect(try distance(ours, pictures[number]) < 8)
    }
  }
}
