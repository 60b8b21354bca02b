import Foundation
import Glibc
import HoldfastMedia
import HoldfastModel
import HoldfastWire

/// Honest calls with one lie, which the source's name gives: `lie-check-count.mov`.
struct LyingCalls {
  /// Whether this process has met the file that compromises it.
  nonisolated(unsafe) private static var isTakenOver = false

  let honest: FFmpegCalls

  /// Whether to do a job here. The source of an import's thumbnail is the import's output.
  static func isMeant(_ job: MediaJob) -> Bool {
    let name = job.files[0].name
    if case .thumbnail = job, name.hasPrefix("video_") { return true }
    return name.hasPrefix("lie-")
  }

  func perform(
    _ job: MediaJob, _ progress: @escaping @Sendable (Double) -> Void
  ) throws(HoldfastError) -> MediaReport {
    let lie = job.files[0].name.dropFirst("lie-".count).prefix { $0 != "." }
    switch (job, lie) {
    case (.probe, "probe-long"):
      // Thirty megabytes of numbers, as a message.
      say(length: 30 << 20, Array(repeating: UInt8(ascii: "7"), count: 30 << 20))
    case (.probe, "probe-memory"): say(.needsMemory(pixels: .max))
    case (.convert(let plan, _, let output), "convert-junk"):
      let junk = [UInt8](repeating: 0x5A, count: 1 << 16)
      pwrite(output.descriptor, junk, junk.count, 0)
      var report = ConversionReport(plan: plan)
      report.pictures = 60
      return .converted(report)
    case (.check(_, _, let output), "check-writes"):
      // The file that it checks cannot be written to.
      guard pwrite(output.descriptor, "junk", 4, 4096) == 4 else {
        throw HoldfastError(.checkFailed, "could not write: \(errno)")
      }
    default: break
    }
    return lying(try honest.perform(job, progress: progress), lie, job)
  }

  /// Returns the lie in place of an honest report.
  private func lying(_ report: MediaReport, _ lie: Substring, _ job: MediaJob) -> MediaReport {
    switch (report, lie) {
    case (.probed(var info), "probe-count"):
      for index in info.streams.indices { info.streams[index].damagedPackets = .max - 1 }
      return .probed(info)
    case (.probed(var info), "probe-times"):
      info.pictures = PictureTimes(
        numerator: 1, denominator: 1, shown: Array(0..<4_000_000), keyframes: [0], end: 4_000_000)
      return .probed(info)
    case (.probed, "probe-takeover"): Self.isTakenOver = true
    case (.probed(var info), "probe-victim"):
      guard Self.isTakenOver, case .probe(_, depth: .packets, _) = job else { break }
      info.streams.removeAll { $0.kind == .video }
      (info.video, info.type) = (nil, .audio)
      return .probed(info)
    case (.probed(var info), "probe-duration"):
      info.duration = .greatestFiniteMagnitude
      return .probed(info)
    case (.converted(var report), "convert-count"):
      report.damagedPackets = .max - 1
      return .converted(report)
    case (.converted(var report), "convert-warnings"):
      report.warnings = (0..<250_000).map { "warning \($0)" }
      return .converted(report)
    case (.converted, "convert-writes-on"):
      say(.done(report))
      while true { pwrite(job.files[1].descriptor, "junk", 4, 4096) }
    case (.checked(var check), "check-count"):
      check.damagedPackets = .max - 1
      return .checked(check)
    case (.checked(var check), "check-duration"):
      check.duration = .infinity
      return .checked(check)
    case (.drawn(var picture), "thumbnail-size"):
      picture.bytes = .max
      return .drawn(picture)
    case (.drawn(var picture), "thumbnail-longer"):
      picture.bytes += 1
      return .drawn(picture)
    case (.measured(var profile), "sound-peaks"):
      profile.peaks = Array(repeating: 1, count: 6001)
      return .measured(profile)
    case (.measured(var profile), "sound-loudness"):
      profile.loudness = .infinity
      return .measured(profile)
    // A valid answer to another kind of job.
    case (.probed, "probe-kind"), (.converted, "convert-kind"), (.checked, "check-kind"):
      return .measured(SoundProfile(loudness: nil, truePeak: nil, peaks: []))
    default: break
    }
    return report
  }

  /// Sends a message as the worker, before the real answer.
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
