import Foundation
import HoldfastModel
import Synchronization

/// A media engine that does what a test tells it to, so that the hall is tested without media.
final class ScriptedEngine: MediaEngine {
  struct Script {
    /// What a probe finds, whatever the file.
    var info = MediaInfo(
      container: "mov", fileSize: 1, type: .audio, duration: 2, isMeasured: true,
      start: MediaTime(ticks: 0, numerator: 1, denominator: 1000),
      streams: [StreamInfo(index: 0, kind: .audio, codec: "aac")], audio: 0)
    /// How long an output lasts; as long as was planned, if `nil`.
    var duration: Double?
    /// How many packets could not be decoded.
    var damagedPackets: Int?
    /// Called in each job, whatever it is.
    var onJob: @Sendable () async -> Void = {}
    /// Called when a file is probed.
    var onProbe: @Sendable () throws -> Void = {}
    /// Called when a conversion starts, before anything is written.
    var onConvert: @Sendable (ConversionPlan) async throws -> Void = { _ in }
    /// Throws what the check of an output finds.
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

  /// How many jobs were under way at once, at most.
  var mostJobs: Int { state.withLock { $0.mostJobs } }

  func probe(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo {
    try await counted {
      try script.onProbe()
      return script.info
    }
  }

  func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ConversionReport {
    try await counted {
      state.withLock { $0.plans.append(plan) }
      try await script.onConvert(plan)
      let bytes = Array("a file of \(source.name)".utf8)
      _ = bytes.withUnsafeBytes { pwrite(output.descriptor, $0.baseAddress, $0.count, 0) }
      progress(1)
      var report = ConversionReport(plan: plan)
      report.damagedPackets = script.damagedPackets
      return report
    }
  }

  func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) async throws -> CheckReport {
    try await counted {
      try script.onCheck(report.plan)
      return CheckReport(duration: script.duration ?? report.plan.duration)
    }
  }

  func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) async throws -> ThumbnailReport {
    try await counted {
      ThumbnailReport(size: PictureSize(width: 2, height: 2), choice: nil, bytes: 0)
    }
  }

  func soundProfile(of source: OpenMedia) async throws -> SoundProfile {
    try await counted { SoundProfile(loudness: nil, truePeak: nil, peaks: []) }
  }

  func waveform(_ job: WaveformJob, output: OpenMedia) async throws -> ThumbnailReport {
    try await counted { ThumbnailReport(size: job.size, choice: nil, bytes: 0) }
  }

  /// Does a job, and counts how many are under way with it.
  private func counted<Value>(_ job: () async throws -> Value) async throws -> Value {
    state.withLock {
      $0.jobs += 1
      $0.mostJobs = max($0.mostJobs, $0.jobs)
    }
    defer { state.withLock { $0.jobs -= 1 } }
    await script.onJob()
    return try await job()
  }
}
