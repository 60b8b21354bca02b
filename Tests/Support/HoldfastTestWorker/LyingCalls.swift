internal import Foundation
internal import Glibc
internal import HoldfastMedia
internal import HoldfastModel
internal import HoldfastWire

/// Calls that are made honestly, but for one lie, which the source's name tells: `lie-check-count.mov`.
struct LyingCalls {
  /// Whether this process has met the file that takes it over.
  nonisolated(unsafe) private static var isTakenOver = false

  let honest: FFmpegCalls

  static func knows(_ name: String) -> Bool { name.hasPrefix("lie-") }

  private func isAsked(_ lie: String, _ source: OpenMedia) -> Bool {
    source.name.hasPrefix("lie-\(lie).")
  }

  func probe(_ source: OpenMedia, depth: ProbeDepth) throws(MediaError) -> MediaInfo {
    if isAsked("probe-long", source) {
      // Thirty megabytes of numbers, as a message.
      say(length: 30 << 20, Array(repeating: UInt8(ascii: "7"), count: 30 << 20))
    }
    if isAsked("probe-memory", source) { say(.needsMemory(pixels: .max)) }
    var info = try honest.probe(source, depth: depth)
    if isAsked("probe-count", source) {
      for index in info.streams.indices { info.streams[index].damagedPackets = .max - 1 }
    }
    if isAsked("probe-times", source) {
      info.pictures = PictureTimes(
        numerator: 1, denominator: 1, shown: Array(0..<4_000_000), keyframes: [0], end: 4_000_000)
    }
    if isAsked("probe-takeover", source) { Self.isTakenOver = true }
    if isAsked("probe-victim", source), Self.isTakenOver, depth == .packets {
      info.streams.removeAll { $0.kind == .video }
      (info.video, info.type) = (nil, .audio)
    }
    if isAsked("probe-duration", source) { info.duration = .greatestFiniteMagnitude }
    return info
  }

  func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) throws(MediaError) -> ConversionReport {
    if isAsked("convert-junk", source) {
      let junk = [UInt8](repeating: 0x5A, count: 1 << 16)
      pwrite(output.descriptor, junk, junk.count, 0)
      var report = ConversionReport(plan: plan)
      report.pictures = 60
      return report
    }
    var report = try honest.convert(plan, source: source, output: output, progress: progress)
    if isAsked("convert-count", source) { report.damagedPackets = .max - 1 }
    if isAsked("convert-warnings", source) {
      report.warnings = (0..<250_000).map { "warning \($0)" }
    }
    if isAsked("convert-writes-on", source) {
      say(.converted(report))
      while true { pwrite(output.descriptor, "junk", 4, 4096) }
    }
    return report
  }

  func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) throws(MediaError) -> CheckReport {
    if isAsked("check-writes", source) {
      // The file that it checks cannot be written to.
      guard pwrite(output.descriptor, "junk", 4, 4096) == 4 else {
        throw MediaError(.checkFailed, "could not write: \(errno)")
      }
    }
    var check = try honest.check(report, source: source, output: output)
    if isAsked("check-count", source) { check.damagedPackets = .max - 1 }
    if isAsked("check-duration", source) { check.duration = .infinity }
    return check
  }

  func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) throws(MediaError) -> ThumbnailReport {
    var report = try honest.thumbnail(job, source: source, output: output)
    if isAsked("thumbnail-size", source) { report.bytes = .max }
    if isAsked("thumbnail-longer", source) { report.bytes += 1 }
    return report
  }

  func soundProfile(of source: OpenMedia) throws(MediaError) -> SoundProfile {
    var profile = try honest.soundProfile(of: source)
    if isAsked("sound-peaks", source) { profile.peaks = Array(repeating: 1, count: 6001) }
    if isAsked("sound-loudness", source) { profile.loudness = .infinity }
    return profile
  }

  /// Says something with the worker's own voice, beside the answer that is to come.
  private func say(_ reply: WorkerReply) {
    guard let content = try? WireCoding.encode(reply) else { return }
    say(length: content.count, content)
  }

  private func say(length: Int, _ content: [UInt8]) {
    let frame = (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } + content
    var sent = 0
    while sent < frame.count {
      let count = frame[sent...].withUnsafeBytes { write(0, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      sent += count
    }
  }
}
