internal import Foundation
internal import Glibc
public import HoldfastModel
internal import HoldfastWire
internal import Synchronization

/// A media engine in processes of its own, each of which can touch nothing but the files of its job.
///
/// A job has a worker for itself: how many run at a time is the caller's choice. A worker that
/// crashes, that runs out of memory or that stalls costs the job that it was at, and is replaced; one
/// whose job was cancelled is ended. The others wait for the next job.
public final class WorkerPool: MediaEngine {
  /// How long a worker may be at a job without any progress, in seconds, unless told otherwise.
  public static let defaultStallTimeout = 30.0
  /// How long a worker may take to begin, in seconds: a matter of a moment, on any machine.
  private static let startTimeout = 60.0
  /// How long a worker may take over the end that a cancellation asks of it, in seconds.
  private static let grace = 2.0

  private let program: WorkerProgram
  private let stallTimeout: Double
  private let idle = Mutex<[WorkerProcess]>([])
  /// Those that nobody has asked for yet.
  private let starting = Mutex<[Task<WorkerProcess, any Error>]>([])
  /// Those that were told to end, until they have.
  private let leaving = Mutex<[ObjectIdentifier: WorkerProcess]>([:])

  /// Makes a pool without a worker: the first job starts the first, unless ``prepare()`` did.
  ///
  /// - Parameters:
  ///   - program: What is run.
  ///   - stallTimeout: How long a job may go without any progress before it is given up, in seconds.
  public init(_ program: WorkerProgram, stallTimeout: Double = WorkerPool.defaultStallTimeout) {
    self.program = program
    self.stallTimeout = stallTimeout
  }

  /// Starts a worker for the first job, which would else wait for it: most of the time that a worker
  /// takes to begin is the dynamic linker's. That it cannot be started, the first job says.
  public func prepare() {
    let worker = Task { try await newWorker() }
    starting.withLock { $0.append(worker) }
  }

  /// Says what a file holds.
  public func probe(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo {
    try await run(.probe(depth: depth, source: source.name), [source]) { reply in
      if case .probed(let info) = reply, info.isPlausible { info.escapedForDisplay } else { nil }
    }
  }

  /// Makes the file that `plan` describes.
  public func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ConversionReport {
    try await run(
      .convert(plan, source: source.name, output: output.name), [source, output],
      progress: progress
    ) { reply in
      guard case .converted(let report) = reply else { return nil }
      progress(1)
      return report.escapedForDisplay(of: plan)
    }
  }

  /// Compares an output with what was planned and, where packets were copied, with the source.
  public func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) async throws -> CheckReport {
    try await run(
      .check(report, source: source.name, output: output.name), [source, output]
    ) { reply in
      if case .checked(let report) = reply { report } else { nil }
    }
  }

  /// Makes a JPEG of one picture of a video.
  public func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) async throws -> ThumbnailReport {
    try await run(
      .thumbnail(job, source: source.name, output: output.name), [source, output]
    ) { reply in
      if case .thumbnailed(let report) = reply, report.isPlausible { report } else { nil }
    }
  }

  /// What a worker is made of, and whether its doors are shut.
  public func describe() async throws -> WorkerDescription {
    try await run(.describe, []) { reply in
      if case .described(let description) = reply { description } else { nil }
    }
  }

  /// Ends the workers that wait for a job or begin, and returns when they, and those that were told to end
  /// before, have ended.
  ///
  /// Without it workers end when the pool does; nobody waits for that.
  public func close() async {
    for worker in starting.takeAll() { (try? await worker.value).map(cancel) }
    for worker in idle.takeAll() { cancel(worker) }
    for worker in leaving.withLock({ Array($0.values) }) { _ = await worker.end() }
  }

  /// Has a worker do one job.
  private func run<Value: Sendable>(
    _ request: WorkerRequest, _ files: [OpenMedia],
    progress: @escaping @Sendable (Double) -> Void = { _ in },
    _ value: @escaping @Sendable (WorkerReply) -> Value?
  ) async throws -> Value {
    try Task.checkCancellation()
    let content = try WireCoding.encode(request)
    let lent = try files.map { media throws(MediaError) in try OwnDescriptor(duplicating: media) }
    let worker = try await readyWorker()
    let timeout = stallTimeout
    let outcome = try await withTaskCancellationHandler {
      // A cancelled call returns at once; its worker is listened to until its end.
      try await onOwnThread(abandonsWork: true) { stop in
        WorkerJob(channel: worker.channel, stallTimeout: timeout) {
          if !stop.isSet { progress($0) }
        }.run(content, lent.map(\.number))
      }
    } onCancel: {
      cancel(worker)
    }
    // One that was told to end is nobody's any longer.
    try Task.checkCancellation()
    return try await result(outcome, of: worker, value)
  }

  /// A worker that waits for a job, or a new one.
  private func readyWorker() async throws -> WorkerProcess {
    while let worker = idle.withLock({ $0.popLast() }) {
      // One that says something now has ended, or does not know that its job is over.
      if (try? worker.channel.waitsToBeRead(within: 0)) == false { return worker }
      cancel(worker)
    }
    if let worker = starting.withLock({ $0.popLast() }) { return try await worker.value }
    return try await newWorker()
  }

  private func newWorker() async throws -> WorkerProcess {
    let worker = try WorkerProcess(program)
    await worker.waitUntilSpawned()
    let outcome = try await onOwnThread(abandonsWork: true) { _ in
      WorkerJob(channel: worker.channel, stallTimeout: Self.startTimeout) { _ in }.awaitReply()
    }
    switch outcome {
    case .reply(.ready(let greeting)) where greeting == WorkerGreeting(): return worker
    case .reply(.ready):
      throw unusable("is of another version than this program; install both from one build")
    case .reply(.unfit(let reason)): throw unusable(reason.escapedForDisplay)
    default:
      worker.kill()
      switch await worker.end() {
      case .neverStarted(let reason): throw unusable("could not be started: \(reason)")
      case .exited(let status): throw unusable("ended at once (status \(status)); install it anew")
      case .signaled(let number):
        throw unusable("ended at once (signal \(number)); install it anew")
      }
    }
  }

  private func unusable(_ reason: String) -> MediaError {
    MediaError(.worker, "\(program.path.escapedForDisplay) \(reason)")
  }

  /// Asks a worker to end, and ends it if it does not.
  private func cancel(_ worker: WorkerProcess) {
    killSoon(worker)
    if let content = try? WireCoding.encode(WorkerRequest.cancel) {
      worker.channel.sendAtOnce(content)
    }
  }

  /// Ends a worker that has not ended by itself in a moment, and keeps it in mind until then.
  private func killSoon(_ worker: WorkerProcess) {
    leaving.withLock { $0[ObjectIdentifier(worker)] = worker }
    Task.detached {
      try? await Task.sleep(for: .seconds(Self.grace))
      worker.kill()
    }
    Task.detached { [self] in
      _ = await worker.end()
      leaving.withLock { $0[ObjectIdentifier(worker)] = nil }
    }
  }

  /// What a job came to; its worker waits for the next, or is ended.
  private func result<Value>(
    _ outcome: WorkerJob.Outcome, of worker: WorkerProcess, _ value: (WorkerReply) -> Value?
  ) async throws -> Value {
    switch outcome {
    case .reply(.failed(let error)):
      idle.withLock { $0.append(worker) }
      throw error.escapedForDisplay
    case .reply(let reply):
      guard let value = value(reply) else {
        worker.kill()
        throw MediaError(.worker, "the decoder gave no sensible answer about this file")
      }
      idle.withLock { $0.append(worker) }
      return value
    case .stalled:
      worker.kill()
      throw MediaError(
        .stalled,
        "the decoder made no progress on this file for \(stallTimeout.tenths) s, and was ended; if "
          + "the machine was busy, import it again or set a longer --stall-timeout")
    case .garbled(let error):
      worker.kill()
      throw MediaError(.worker, "the decoder gave no sensible answer: \(error)")
    case .ended:
      // It has closed its socket: it is ending. If it is not, that is no end to wait for.
      killSoon(worker)
      let end = await worker.end()
      if end == .exited(WorkerExit.endlessHeader.rawValue) {
        throw MediaError(
          .damaged, "takes longer to open than any recording; it is damaged or no recording")
      }
      throw MediaError(.worker, Self.sentence(for: end))
    }
  }

  private static func sentence(for end: WorkerEnd) -> String {
    switch end {
    case .signaled(SIGKILL):
      "the decoder was killed while it was at this file (signal 9); import it again"
    case .signaled(let number): "the decoder crashed on this file (signal \(number))"
    case .exited(let status): "the decoder ended while it was at this file (status \(status))"
    case .neverStarted(let reason): "the decoder could not be started: \(reason)"
    }
  }
}

extension Mutex {
  /// What is there, of which nothing stays.
  fileprivate borrowing func takeAll<Element: Sendable>() -> [Element] where Value == [Element] {
    withLock { all in
      defer { all = [] }
      return all
    }
  }
}

extension ThumbnailReport {
  /// Whether every figure is one that a thumbnail can have: a worker may have been taken over by its
  /// file.
  fileprivate var isPlausible: Bool {
    let sides = [size.width, size.height]
    return sides.allSatisfy { (1...1 << 16).contains($0) } && (1...1 << 30).contains(bytes)
      && (choice.map { (0...1e9).contains($0.time) && (0...1).contains($0.score) } ?? true)
  }
}
