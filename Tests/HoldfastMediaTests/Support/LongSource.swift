import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

/// A source over the cap, made by ffmpeg in the test's folder: small pictures, few a second.
enum LongSource {
  /// Samples a second of its sound.
  static let sampleRate = 22_050
  /// A steadily rising tone: no two stretches sound alike.
  private static func tone(_ seconds: Double, rate: Int = sampleRate) -> [String] {
    ["-f", "lavfi", "-i", "aevalsrc='0.3*sin(2*PI*(200+2*t)*t)':s=\(rate):d=\(seconds)"]
  }

  /// H.264 with reordered pictures and AAC.
  ///
  /// - Parameters:
  ///   - seconds: How long it lasts.
  ///   - keyframes: Pictures from keyframe to keyframe.
  ///   - x264: More of x264's own settings.
  ///   - options: More of ffmpeg's options, before the output.
  static func video(
    _ name: String = "long.mp4", seconds: Double, rate: String = "10", keyframes: Int = 50,
    x264: String = "bframes=3:b-pyramid=2:scenecut=0", options: [String] = []
  ) async throws -> String {
    try await make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=96x64:r=\(rate):d=\(seconds)",
      ] + tone(seconds) + [
        "-c:v", "libx264", "-preset", "veryfast", "-crf", "35", "-g", "\(keyframes)",
        "-x264-params", x264, "-c:a", "aac", "-b:a", "32k", "-aac_pns", "0",
      ] + options)
  }

  /// Sound only, a steadily rising tone.
  static func sound(_ name: String, seconds: Double, options: [String]) async throws -> String {
    try await make(name, tone(seconds) + options)
  }

  /// A browser's recording, with unevenly spaced pictures.
  static func webm(seconds: Double) async throws -> String {
    try await make(
      "long.webm",
      [
        "-f", "lavfi", "-i", "testsrc2=s=96x64:r=10:d=\(seconds),select='mod(n,7)'",
      ] + tone(seconds, rate: 24_000) + [
        "-vsync", "vfr", "-c:v", "libvpx", "-b:v", "60k", "-deadline", "realtime", "-cpu-used", "8",
        "-c:a", "libopus", "-b:a", "24k",
      ])
  }
}

/// The presentation times of a file's pictures in seconds, in the order in which they are shown.
func pictureTimes(_ path: String, stream index: Int = 0) async throws -> [Double] {
  try await HashedPacket.all(path, stream: index).filter(\.isShown).compactMap { $0.pts ?? $0.dts }
    .sorted()
}

/// The samples of a file's sound as ffmpeg decodes it: 16 bits, mono.
func sound(_ path: String, rate: Int = LongSource.sampleRate) async throws -> [Int16] {
  let bytes = try await Command.output(
    of: "ffmpeg",
    [
      "-v", "error", "-i", path, "-map", "0:a:0", "-ac", "1", "-ar", "\(rate)", "-f", "s16le", "-",
    ]
  ).outputBytes
  return bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
}

/// How much a part's sound differs from its source's, as a share of its level: the largest
/// difference of its beginning, its middle and its end.
///
/// - Parameters:
///   - part: The part.
///   - whole: The source's samples.
///   - rate: Samples a second.
///   - shift: How far the part may be from its place, in samples.
func soundDifference(
  _ part: Converted, from whole: [Int16], rate: Int = LongSource.sampleRate,
  shift: ClosedRange<Int> = 0...0
) async throws -> Double {
  let zero = try #require(part.info.start).seconds
  let first = Int(((part.plan.start.seconds - zero) * Double(rate)).rounded())
  let own = try await sound(part.path, rate: rate)
  // Samples decoded beyond the end are padding.
  let count = min(own.count, Int(part.plan.duration * Double(rate)), whole.count - first)
  #expect(abs(Double(count) / Double(rate) - part.plan.duration) < 0.1)
  let window = rate / 4
  return [0, count / 2, count - 2 * window].map { place in
    shift.compactMap { shift in
      let from = first + place + shift
      guard from >= 0, from + window <= whole.count else { return nil as Double? }
      return difference(own, place, whole, from, count: window)
    }.min() ?? .infinity
  }.max() ?? .infinity
}

/// A plain loop: in debug builds, as tests are, iterators are a hundred times as slow.
private func difference(
  _ left: [Int16], _ place: Int, _ right: [Int16], _ from: Int, count: Int
) -> Double {
  left.withUnsafeBufferPointer { left in
    right.withUnsafeBufferPointer { right in
      var (level, error, index) = (0, 0, 0)
      while index < count {
        let (one, other) = (Int(left[place &+ index]), Int(right[from &+ index]))
        level &+= one &* one
        error &+= (one &- other) &* (one &- other)
        index &+= 1
      }
      return (Double(error) / Double(max(level, 1))).squareRoot()
    }
  }
}
