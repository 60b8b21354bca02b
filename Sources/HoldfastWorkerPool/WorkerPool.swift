internal import Foundation
internal import Glibc
public import HoldfastModel
internal import HoldfastSupport
internal import HoldfastWire
internal import Synchronization

/// A media engine in processes of its own, each of which can touch nothing but the files of its job.
///
/// One process, the nursery, loads the media libraries and starts a worker for each job (DESIGN §2).
/// What makes a recording has a worker to itself, which has ended before the answer is given; so has
/// what checks it, which can only read. A worker that probes or draws thumbnails does one file after
/// the other. One that crashes, runs out of memory or stalls costs the job that it was at.
public final class WorkerPool: MediaEngine {
  /// How long a worker may be at a job without any progress, in seconds, unless told otherwise.
  public static let defaultStallTimeout = 30.0
  /// How long a worker may take to end after it has answered, in seconds.
  private static let grace = 2.0
  /// Of all pools in this program, at most 256 jobs run at a time.
  private static let places = Places(256)

  private let program: WorkerProgram
  private let timeouts: JobTimeouts
  private let nursery = Mutex<Task<NurseryProcess, any Error>?>(nil)
  private let workers = Mutex(WorkerShelf())

  /// Makes a pool without a worker: the first job starts the nursery, unless ``prepare()`` did.
  ///
  /// - Parameters:
  ///   - program: What is run.
  ///   - stallTimeout: How long a job may go without any progress before it is given up, in seconds.
  ///   - jobTimeout: How long a job may take as a whole, in seconds; `nil` for ten times the length of
  ///     its recording and five minutes.
  public init(
    _ program: WorkerProgram, stallTimeout: Double = WorkerPool.defaultStallTimeout,
    jobTimeout: Double? = nil
  ) {
    self.program = program
    timeouts = JobTimeouts(stall: stallTimeout, job: jobTimeout)
  }

  /// Starts the nursery, for which the first job would else wait: most of the time that it takes to
  /// begin is the dynamic linker's. If it cannot start, the first job reports it.
  public func prepare() { _ = startedNursery() }

  /// Says what a file holds.
  public func probe(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo {
    try await probe(source, depth, isAlone: false)
  }

  /// Says what a file holds, in a worker that sees no other file.
  public func probeAlone(_ source: OpenMedia, depth: ProbeDepth) async throws -> MediaInfo {
    try await probe(source, depth, isAlone: true)
  }

  private func probe(
    _ source: OpenMedia, _ depth: ProbeDepth, isAlone: Bool
  ) async throws -> MediaInfo {
    try await run(
      .probe(depth: depth, isAlone: isAlone, source: source.name), [OwnDescriptor(reading: source)]
    ) { reply in
      if case .probed(let info) = reply, info.isPlausible { info.escapedForDisplay } else { nil }
    }
  }

  /// Makes the file that `plan` describes. Nobody writes to it any more when this returns.
  public func convert(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> ConversionReport {
    try await run(
      .convert(plan, source: source.name, output: output.name),
      [OwnDescriptor(reading: source), OwnDescriptor(duplicating: output)], progress: progress
    ) { reply in
      guard case .converted(let report) = reply, report.isPlausible else { return nil }
      progress(1)
      return report.escapedForDisplay(of: plan)
    }
  }

  /// Compares an output with what was planned and, where packets were copied, with the source.
  public func check(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia
  ) async throws -> CheckReport {
    try await run(
      .check(report, source: source.name, output: output.name),
      [OwnDescriptor(reading: source), OwnDescriptor(reading: output)]
    ) { reply in
      if case .checked(let report) = reply, report.isPlausible { report } else { nil }
    }
  }

  /// Makes a JPEG of one picture of a video.
  ///
  /// The worker, which goes on to other files, writes into memory; from there the picture is copied
  /// into `output`, which no worker ever has open.
  public func thumbnail(
    _ job: ThumbnailJob, source: OpenMedia, output: OpenMedia
  ) async throws -> ThumbnailReport {
    try await drawing(to: output) { picture in
      try await run(
        .thumbnail(job, source: source.name, output: output.name),
        [OwnDescriptor(reading: source), picture]
      ) { reply in
        if case .thumbnailed(let report) = reply, report.isPlausible { report } else { nil }
      }
    }
  }

  /// Decodes a recording's sound, and measures it.
  public func soundProfile(of source: OpenMedia) async throws -> SoundProfile {
    try await run(.measureSound(source: source.name), [OwnDescriptor(reading: source)]) { reply in
      if case .measured(let profile) = reply, profile.isPlausible { profile } else { nil }
    }
  }

  /// Draws sound as a picture; the worker writes into memory, as for a thumbnail.
  public func waveform(_ job: WaveformJob, output: OpenMedia) async throws -> ThumbnailReport {
    try await drawing(to: output) { picture in
      try await run(.waveform(job, output: output.name), [picture]) { reply in
        if case .drawn(let report) = reply, report.isPlausible { report } else { nil }
      }
    }
  }

  private func drawing(
    to output: OpenMedia, _ draw: (OwnDescriptor) async throws -> ThumbnailReport
  ) async throws -> ThumbnailReport {
    let picture = try MemoryFile(named: "holdfast-picture")
    let report = try await draw(OwnDescriptor(duplicating: picture.media))
    let lent = try OwnDescriptor(duplicating: output)
    try await onOwnThread { _ in try picture.copy(report.bytes, to: lent) }
    return report
  }

  /// What a worker is made of, and whether its doors are shut.
  public func describe() async throws -> WorkerDescription {
    try await run(.describe, []) { reply in
      if case .described(let description) = reply, description.isPlausible {
        description
      } else {
        nil
      }
    }
  }

  /// Ends the workers and the nursery, and returns when they have ended.
  ///
  /// Without it they end when the pool does; nobody waits for that.
  public func close() async {
    let workers = workers.withLock { $0.takeAll() }
    for worker in workers { worker.kill() }
    try? await onOwnThread { _ in for worker in workers { _ = worker.end(within: 0) } }
    let nursery = nursery.withLock { nursery in
      defer { nursery = nil }
      return nursery
    }
    await (try? nursery?.value)?.end()
  }

  // MARK: One job

  /// Has a worker do one job.
  private func run<Value: Sendable>(
    _ request: WorkerRequest, _ files: [OwnDescriptor],
    progress: @escaping @Sendable (Double) -> Void = { _ in },
    _ value: @escaping @Sendable (WorkerReply) -> Value?
  ) async throws -> Value {
    try Task.checkCancellation()
    let sourceSize = files.first.map(\.size) ?? 0
    let job = WorkerJob(
      request, files, patience: timeouts.patience(for: request, sourceSize: sourceSize),
      mostBytes: request.mostBytes(sourceSize: sourceSize), progress: progress)
    return try await Self.places.take {
      // Where the nursery has ended the job was given to nobody: another nursery does as well.
      do {
        return try await self.perform(job, on: self.readyNursery(), value)
      } catch is NurseryLoss {
        do {
          return try await self.perform(job, on: self.readyNursery(), value)
        } catch let loss as NurseryLoss {
          throw MediaError(
            .worker, "the decoder could not be started: \(loss.cause); import it again")
        }
      }
    }
  }

  private func perform<Value: Sendable>(
    _ job: WorkerJob, on nursery: NurseryProcess,
    _ value: @escaping @Sendable (WorkerReply) -> Value?
  ) async throws -> Value {
    try await withTaskCancellationHandler {
      // A cancelled call returns at once; its worker is listened to until its end.
      try await onOwnThread(abandonsWork: true) { _ in
        let result = Result { try self.perform(job, nursery, value) }
        if case .failure(let error) = result, error is NurseryLoss, !job.isCancelled { throw error }
        job.closeFiles()
        // A worker that was told to end is nobody's any longer.
        if job.isCancelled { throw CancellationError() }
        return try result.get()
      }
    } onCancel: {
      job.cancel()
    }
  }

  /// Does a job on the calling thread; a second time, with more memory, if its pictures are larger than
  /// those of the jobs before.
  private func perform<Value>(
    _ job: WorkerJob, _ nursery: NurseryProcess, _ value: (WorkerReply) -> Value?
  ) throws -> Value {
    while true {
      let pixels = workers.withLock { $0.pixels }
      let worker = try worker(for: job, nursery, pixels: pixels)
      job.begin(with: worker)
      if !job.request.sharesWorker {
        startAhead(nursery)
        seeOff()
      }
      let outcome = job.awaitReply(of: worker)
      guard case .reply(.needsMemory(let wanted)) = outcome, wanted > pixels,
        wanted <= PictureLimit.pixels
      else { return try result(outcome, of: worker, job, value) }
      workers.withLock { $0.raise(to: wanted) }
      end(worker)
    }
  }

  /// A worker that has got the job: one that waits for another, or one that has had none.
  private func worker(
    for job: WorkerJob, _ nursery: NurseryProcess, pixels: Int
  ) throws -> WorkerProcess {
    if job.request.sharesWorker {
      while let worker = workers.withLock({ $0.takeIdle(pixels: pixels) }) {
        // One that says something now has ended, or does not know that its job is over.
        if (try? worker.channel.waitsToBeRead(within: 0)) == false,
          try sending(to: worker, { try job.send(to: worker) })
        {
          return worker
        }
        end(worker)
      }
    }
    let order = WorkerOrder(job.request, pixels: pixels)
    // One that was started ahead may have been killed meanwhile.
    while let worker = workers.withLock({ $0.takeSpare() }) {
      workers.withLock { $0.add(worker, pixels: pixels) }
      if try sending(to: worker, { try job.send(order, to: worker) }) { return worker }
      end(worker)
    }
    let worker = try newWorker(nursery)
    workers.withLock { $0.add(worker, pixels: pixels) }
    // One that ends at once is seen to have ended by whoever waits for its answer.
    _ = try sending(to: worker) { try job.send(order, to: worker) }
    return worker
  }

  /// Ends a worker that could not be given its job.
  private func sending(to worker: WorkerProcess, _ send: () throws -> Bool) throws -> Bool {
    do {
      return try send()
    } catch let error as WireError {
      end(worker)
      throw MediaError(.worker, "the decoder could not be given its job: \(error); import it again")
    }
  }

  private func newWorker(_ nursery: NurseryProcess) throws -> WorkerProcess {
    do {
      return try nursery.startWorker()
    } catch let error as WireError {
      self.nursery.withLock { $0 = nil }
      throw NurseryLoss(cause: error)
    }
  }

  /// Starts the worker of the next job while another one is at its own.
  ///
  /// A worker that cannot be started now is asked for again by the job that needs it.
  private func startAhead(_ nursery: NurseryProcess) {
    nursery.rehearse()
    guard workers.withLock({ $0.needsSpare }), let worker = try? nursery.startWorker() else {
      return
    }
    workers.withLock { $0.putSpare(worker) }
  }

  /// Has the nursery forget workers that were ended and that nobody waited for.
  private func seeOff() {
    for worker in workers.withLock({ $0.takeEnding() }) where !worker.seeOff() {
      workers.withLock { $0.letEnd(worker) }
    }
  }

  private func readyNursery() async throws -> NurseryProcess {
    do { return try await startedNursery().value } catch {
      // The next job tries again.
      nursery.withLock { $0 = nil }
      throw error
    }
  }

  /// The nursery, which is started if there is none.
  private func startedNursery() -> Task<NurseryProcess, any Error> {
    nursery.withLock { nursery in
      if let nursery { return nursery }
      let started = Task { [program] in try await NurseryProcess.start(program) }
      nursery = started
      return started
    }
  }

  /// Waits for a worker's end, or brings it about.
  @discardableResult
  private func end(_ worker: WorkerProcess, within seconds: Double = 0) -> WorkerEnd {
    defer { workers.withLock { $0.remove(worker) } }
    return worker.end(within: seconds)
  }

  /// What a job came to. Its worker waits for the next, or has ended.
  private func result<Value>(
    _ outcome: WorkerJob.Outcome, of worker: WorkerProcess, _ job: WorkerJob,
    _ value: (WorkerReply) -> Value?
  ) throws -> Value {
    switch outcome {
    case .reply(.unfit(let reason)):
      end(worker, within: Self.grace)
      throw MediaError(
        .worker, "\(program.path.escapedForDisplay) \(reason.escapedForDisplay)")
    case .reply(.failed(let error)) where error.isPlausible:
      try release(worker, of: job)
      throw error.escapedForDisplay
    case .reply(let reply):
      guard let value = value(reply) else {
        end(worker)
        throw MediaError(.worker, "the decoder gave no sensible answer about this file")
      }
      try release(worker, of: job)
      return value
    case .stalled:
      end(worker)
      throw MediaError(
        .stalled,
        "the decoder made no progress on this file for \(timeouts.stall.tenths) s, and was ended")
    case .overdue:
      end(worker)
      throw MediaError(
        .overdue,
        "the decoder was not done with this file after \(job.seconds.tenths) s, and was ended")
    case .garbled(let error):
      end(worker)
      throw MediaError(.worker, "the decoder gave no sensible answer: \(error)")
    case .ended:
      // It has closed its socket: it is ending. If it is not, that is no end to wait for.
      let end = end(worker, within: Self.grace)
      switch end {
      case .exited(WorkerExit.endlessHeader.rawValue):
        throw MediaError(
          .damaged, "takes longer to open than any recording; it is damaged, or not a recording")
      case .exited(WorkerExit.hugeHeader.rawValue):
        throw MediaError(
          .damaged,
          "its header asks for more memory than any recording needs; it is damaged, or not a recording"
        )
      default: throw MediaError(.worker, Self.sentence(for: end))
      }
    }
  }

  /// Lets a worker wait for the next job. One that wrote a file must have ended, so that nobody writes
  /// to it any more; one that could only read is ended, and nobody waits for that.
  private func release(_ worker: WorkerProcess, of job: WorkerJob) throws {
    if job.request.sharesWorker, !job.isCancelled {
      workers.withLock { $0.putBack(worker) }
    } else if !job.request.writesOutput {
      worker.kill()
      workers.withLock { $0.letEnd(worker) }
    } else if end(worker, within: job.isCancelled ? 0 : Self.grace) == .killed {
      throw MediaError(
        .worker, "the decoder went on after its answer about this file, and was ended")
    }
  }

  private static func sentence(for end: WorkerEnd) -> String {
    switch end {
    case .killed, .signaled(SIGKILL):
      "the decoder was killed while it was at this file (signal 9); import it again"
    case .signaled(let number): "the decoder crashed on this file (signal \(number))"
    case .exited(let status): "the decoder ended while it was at this file (status \(status))"
    case .unknown: "the decoder ended while it was at this file; import it again"
    }
  }
}

/// The nursery has ended, or says nothing any more.
private struct NurseryLoss: Error {
  let cause: WireError
}
