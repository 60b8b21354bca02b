import Foundation
import HoldfastModel
import Synchronization

/// A media engine controlled by a test, so that the library is tested without media.
final class ScriptedEngine: MediaEngine {
  struct Script {
    /// The result of a probe of any file.
    var info: MediaInfo = {
      var info = MediaInfo(container: "mov", fileSize: 1)
      info.type = .audio
      info.duration = 2
      info.isMeasured = true
      info.start = MediaTime(ticks: 0, numerator: 1, denominator: 1000)
      info.streams = [StreamInfo(index: 0, kind: .audio, codec: "aac")]
      info.audio = 0
      return info
    }()
    /// How long an output lasts; as long as was planned, if `nil`.
    var duration: Double?
    /// The sound that the check of an output finds.
    var checkedSound: SoundFormat?
    /// How many packets could not be decoded.
    var damagedPackets: Int?
    /// Called in each job, whatever it is.
    var onJob: @Sendable () async -> Void = {}
    /// Called when a file is probed.
    var onProbe: @Sendable () throws -> Void = {}
    /// Called when a conversion starts, before anything is written.
    var onConvert: @Sendable (ConversionPlan) async throws -> Void = { _ in }
    /// Throws the finding of an output's check.
    var onCheck: @Sendable (ConversionPlan) throws -> Void = { _ in }
  }

  let script: Script
  private let state = Mutex(State())

  private struct State {
    var plans: [ConversionPlan] = []
    var jobs = 0
    var mostJobs = 0
  }

  init(_ script: Script = Script()) { self.script = script }

  /// The plans that were followed, in order.
  var plans: [ConversionPlan] { state.withLock { $0.plans } }

  /// The most jobs that ran at once.
  var mostJobs: Int { state.withLock { $0.mostJobs } }

  func perform(
    _ job: MediaJob, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> MediaReport {
    state.withLock {
      $0.jobs += 1
      $0.mostJobs = max($0.mostJobs, $0.jobs)
    }
    defer { state.withLock { $0.jobs -= 1 } }
    await script.onJob()
    switch job {
    case .probe:
      try script.onProbe()
      return .probed(script.info)
    case .convert(let plan, let source, let output):
      state.withLock { $0.plans.append(plan) }
      try await script.onConvert(plan)
      let bytes = Array("a file of \(source.name)".utf8)
      _ = bytes.withUnsafeBytes { pwrite(output.descriptor, $0.baseAddress, $0.count, 0) }
      progress(1)
      var report = ConversionReport(plan: plan)
      report.damagedPackets = script.damagedPackets
      return .converted(report)
    case .check(let report, _, _):
      try script.onCheck(report.plan)
      var check = CheckReport(duration: script.duration ?? report.plan.duration)
      check.sound = script.checkedSound
      return .checked(check)
    case .thumbnail:
      let size = PictureSize(width: 2, height: 2)
      return .drawn(ThumbnailReport(size: size, choice: nil, bytes: 0))
    case .measureSound:
      return .measured(SoundProfile(loudness: nil, truePeak: nil, peaks: []))
    case .decodeSound:
      return .decoded(DecodedSound(samples: 0, startTime: 0, peak: 0))
    case .photo:
      return .photo(PhotoReport(size: PictureSize(width: 2, height: 2), bytes: 0, isCopied: true))
    case .waveform(let job, _):
      return .drawn(ThumbnailReport(size: job.size, choice: nil, bytes: 0))
    }
  }
}
