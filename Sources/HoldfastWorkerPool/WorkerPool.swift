import Foundation
import Glibc
public import HoldfastModel
import HoldfastSupport
import HoldfastWire
import Synchronization

/// A media engine that works in processes of its own. Each worker can reach nothing but the files
/// of its job.
///
/// One process, the nursery, loads the media libraries and starts the workers. A job
/// that makes a recording has a worker to itself, which has ended before the answer is returned. A
/// job that checks a recording also has a worker to itself, which can only read. Workers that probe
/// or draw thumbnails do one file after another. If a worker crashes, runs out of memory or stalls,
/// only its current job is lost.
public final class WorkerPool: MediaEngine {
  /// The default for how long a job may go without progress, in seconds.
  public static let defaultStallTimeout = 30.0
  /// The longest that a worker may take to end after its answer, in seconds.
  private static let grace = 2.0
  /// All pools in this program together run at most 256 jobs at a time.
  private static let semaphore = AsyncSemaphore(256)

  private let program: WorkerProgram
  private let timeouts: JobTimeouts
  private let idleTimeout: Duration
  private let nursery = Mutex<Task<NurseryProcess, any Error>?>(nil)
  private let workers = Mutex(IdleWorkers())

  /// Makes a pool without workers. The first job starts the nursery, unless ``prepare()`` has.
  ///
  /// - Parameters:
  ///   - program: The program to run.
  ///   - stallTimeout: How long a job may go without progress before it is ended, in seconds.
  ///   - jobTimeout: How long a job may take as a whole, in seconds. `nil` allows ten times the
  ///     recording's length and five minutes more.
  ///   - idleTimeout: How long a worker waits for its next job, in seconds.
  public init(
    _ program: WorkerProgram, stallTimeout: Double = WorkerPool.defaultStallTimeout,
    jobTimeout: Double? = nil, idleTimeout: Double = 60
  ) {
    self.program = program
    self.idleTimeout = .seconds(idleTimeout)
    timeouts = JobTimeouts(stall: stallTimeout, job: jobTimeout)
  }

  /// Starts the nursery, so that the first job need not wait for it.
  ///
  /// Most of the time that it takes to start is the dynamic linker's. If it cannot start, the first
  /// job reports it.
  public func prepare() { _ = startedNursery() }

  /// Does one job in a worker.
  ///
  /// No worker writes to a conversion's output any more when this returns, unless the call was
  /// cancelled. The worker of a thumbnail or a waveform goes on to other files afterwards, so it
  /// never has the output open. It writes the picture into memory, from where this process copies
  /// it.
  ///
  /// - Throws: `HoldfastError` if the job or the worker fails, `CancellationError` if the task was
  ///   cancelled.
  public func perform(
    _ job: MediaJob, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> MediaReport {
    switch job {
    case .probe(let source, _, _), .measureSound(let source):
      try await run(job, [OwnDescriptor(reading: source)])
    case .convert(_, let source, let output):
      try await run(
        job, [OwnDescriptor(reading: source), OwnDescriptor(duplicating: output)],
        progress: progress)
    case .check(_, let source, let output):
      try await run(job, [OwnDescriptor(reading: source), OwnDescriptor(reading: output)])
    case .thumbnail(_, let source, let output):
      try await drawing(to: output) { picture in
        try await run(job, [OwnDescriptor(reading: source), picture])
      }
    case .waveform(_, let output):
      try await drawing(to: output) { picture in try await run(job, [picture]) }
    case .decodeSound(let source, let output):
      try await writing(to: output) { sound in
        try await run(job, [OwnDescriptor(reading: source), sound])
      } bytes: { report in
        if case .decoded(let sound) = report { sound.bytes } else { nil }
      }
    case .photo(let source, let output):
      try await writing(to: output) { photo in
        try await run(job, [OwnDescriptor(reading: source), photo])
      } bytes: { report in
        if case .photo(let photo) = report { photo.bytes } else { nil }
      }
    }
  }

  private func drawing(
    to output: OpenMedia, _ draw: (OwnDescriptor) async throws -> MediaReport
  ) async throws -> MediaReport {
    try await writing(to: output, draw) { report in
      if case .drawn(let drawing) = report { drawing.bytes } else { nil }
    }
  }

  /// Has a file written in memory, and copies as many bytes of it as the report says.
  private func writing(
    to output: OpenMedia, _ write: (OwnDescriptor) async throws -> MediaReport,
    bytes: (MediaReport) -> Int?
  ) async throws -> MediaReport {
    let file = try MemoryFile(named: "holdfast-output")
    let report = try await write(OwnDescriptor(duplicating: file.media))
    guard let count = bytes(report) else { throw HoldfastError.senselessAnswer }
    let lent = try OwnDescriptor(duplicating: output)
    try await onOwnThread { _ in try file.copy(count, to: lent) }
    return report
  }

  private func run(
    _ job: MediaJob, _ files: [OwnDescriptor],
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> MediaReport {
    try await run(.job(job), files, progress: progress) { reply in
      guard case .done(let report) = reply, let report = report.vetted(for: job) else { return nil }
      // Only a conversion has a listener, and its worker need not have reported the end.
      progress(1)
      return report
    }
  }

  /// Returns which libraries a worker uses, and whether its doors are shut.
  public func describe() async throws -> WorkerDescription {
    try await run(.describe, []) { reply in
      guard case .described(let description) = reply, description.isPlausible else { return nil }
      return description
    }
  }

  /// Kills the workers, ends the nursery, and returns when all of them have ended.
  ///
  /// Without this call, they end some time after the pool is released.
  public func close() async {
    let workers = workers.withLock { $0.takeAll() }
    for worker in workers { worker.kill() }
    try? await onOwnThread { _ in for worker in workers { worker.endWithNursery() } }
    let nursery = nursery.withLock { nursery in
      defer { nursery = nil }
      return nursery
    }
    // It may still be starting.
    nursery?.cancel()
    await (try? nursery?.value)?.end()
  }

  // MARK: One job

  private func run<Value: Sendable>(
    _ request: WorkerRequest, _ files: [OwnDescriptor],
    progress: @escaping @Sendable (Double) -> Void = { _ in },
    _ value: @escaping @Sendable (WorkerReply) -> Value?
  ) async throws -> Value {
    try Task.checkCancellation()
    let sourceSize = files.first.map(\.size) ?? 0
    let job = WorkerJob(
      request, files, stall: timeouts.stall,
      seconds: timeouts.seconds(for: request, sourceSize: sourceSize),
      mostBytes: request.mostBytes(sourceSize: sourceSize), progress: progress)
    return try await Self.semaphore.withPermit {
      // No worker was given the job before the nursery ended, so another nursery can start one.
      do {
        return try await self.perform(job, on: self.readyNursery(), value: value)
      } catch is NurseryLoss {
        do {
          return try await self.perform(job, on: self.readyNursery(), value: value)
        } catch let loss as NurseryLoss {
          throw HoldfastError(
            .worker, "the decoder could not be started: \(loss.cause)", operation: "import")
        }
      }
    }
  }

  private func perform<Value: Sendable>(
    _ job: WorkerJob, on nursery: NurseryProcess,
    value: @escaping @Sendable (WorkerReply) -> Value?
  ) async throws -> Value {
    try await withTaskCancellationHandler {
      // A cancelled call returns at once. Its thread listens until the worker ends.
      try await onOwnThread(abandonsWork: true) { _ in
        let result = Result { try self.perform(job, nursery: nursery, value: value) }
        if case .failure(let error) = result, error is NurseryLoss, !job.isCancelled { throw error }
        job.closeFiles()
        // The worker of a cancelled job was killed, so its answer does not matter.
        if job.isCancelled { throw CancellationError() }
        return try result.get()
      }
    } onCancel: {
      job.cancel()
    }
  }

  /// Does a job on the calling thread. If its pictures are larger than those of earlier jobs, it is
  /// done again with more memory.
  private func perform<Value>(
    _ job: WorkerJob, nursery: NurseryProcess, value: (WorkerReply) -> Value?
  ) throws -> Value {
    while true {
      let pixels = workers.withLock { $0.pixels }
      let worker = try worker(for: job, nursery, pixels: pixels)
      job.begin(with: worker)
      if !job.request.sharesWorker {
        startAhead(nursery)
        reapEnded()
      }
      let outcome = job.awaitReply(of: worker)
      guard case .reply(.needsMemory(let wanted)) = outcome, wanted > pixels,
        wanted <= PictureLimit.pixels
      else { return try result(outcome, of: worker, job: job, value: value) }
      workers.withLock { $0.raise(to: wanted) }
      end(worker)
    }
  }

  /// Returns a worker that has been given the job: an idle one, or one that has had none.
  private func worker(
    for job: WorkerJob, _ nursery: NurseryProcess, pixels: Int
  ) throws -> WorkerProcess {
    if job.request.sharesWorker {
      while let worker = workers.withLock({ $0.takeIdle(pixels: pixels) }) {
        // An idle worker that sends something has ended, or does not know that its job is over.
        if (try? worker.channel.waitsToBeRead(within: 0)) == false,
          try send(job.request, of: job, to: worker)
        {
          return worker
        }
        end(worker)
      }
    }
    let order = WorkerOrder(job.request, pixels: pixels)
    // A worker that was started ahead may have been killed since.
    while let worker = workers.withLock({ $0.takeSpare() }) {
      workers.withLock { $0.add(worker, pixels: pixels) }
      if try send(order, of: job, to: worker) { return worker }
      end(worker)
    }
    let worker = try newWorker(nursery)
    workers.withLock { $0.add(worker, pixels: pixels) }
    // If the worker ends at once, waiting for its answer shows that.
    _ = try send(order, of: job, to: worker)
    return worker
  }

  /// Sends a job, and ends the worker if that fails.
  private func send(
    _ message: some Encodable, of job: WorkerJob, to worker: WorkerProcess
  ) throws -> Bool {
    do {
      return try job.send(message, to: worker)
    } catch let error as WireError {
      end(worker)
      throw HoldfastError(
        .worker, "the decoder could not be given its job: \(error)", operation: "import")
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

  /// Starts the worker for the next job while another one is working. If it cannot be started now,
  /// the job that needs it will start it.
  private func startAhead(_ nursery: NurseryProcess) {
    nursery.rehearse()
    guard workers.withLock({ $0.needsSpare }), let worker = try? nursery.startWorker() else {
      return
    }
    workers.withLock { $0.putSpare(worker) }
  }

  /// Tells the nursery to forget workers that were ended without a wait.
  private func reapEnded() {
    for worker in workers.withLock({ $0.takeEnding() }) where !worker.reapEnded() {
      workers.withLock { $0.letEnd(worker) }
    }
  }

  private func readyNursery() async throws -> NurseryProcess {
    let started = startedNursery()
    do { return try await value(unlessCancelled: started) } catch {
      // The next job tries again. A cancelled job leaves the nursery to the others.
      if !(error is CancellationError) { nursery.withLock { $0 = nil } }
      throw error
    }
  }

  /// Returns the nursery, and starts it if there is none.
  private func startedNursery() -> Task<NurseryProcess, any Error> {
    nursery.withLock { nursery in
      if let nursery { return nursery }
      let started = Task { [program, timeouts] in
        try await NurseryProcess.start(program, answeringWithin: timeouts.stall)
      }
      nursery = started
      return started
    }
  }

  /// Waits for a worker to end, and kills it if it does not end in time.
  @discardableResult
  private func end(_ worker: WorkerProcess, within seconds: Double = 0) -> WorkerEnd {
    defer { workers.withLock { $0.remove(worker) } }
    return worker.end(within: seconds)
  }

  /// Returns the result of a job. Its worker then waits for the next job, or has ended.
  private func result<Value>(
    _ outcome: WorkerJob.Outcome, of worker: WorkerProcess, job: WorkerJob,
    value: (WorkerReply) -> Value?
  ) throws -> Value {
    switch outcome {
    case .reply(.unfit(let reason)):
      end(worker, within: Self.grace)
      throw HoldfastError(.worker, "\(program.path.escapedForDisplay) \(reason.escapedForDisplay)")
    case .reply(let reply):
      let answer: Result<Value, HoldfastError>? =
        if case .failed(let failure) = reply {
          failure.vetted(for: job.request).map { .failure($0) }
        } else {
          value(reply).map { .success($0) }
        }
      guard let answer else {
        end(worker)
        throw HoldfastError.senselessAnswer
      }
      try release(worker, of: job)
      return try answer.get()
    case .stalled:
      end(worker)
      throw HoldfastError(
        .stalled,
        "the decoder made no progress on this file for \(timeouts.stall.tenthsRoundedUp) s, and "
          + "was ended")
    case .overdue:
      end(worker)
      throw HoldfastError(
        .overdue,
        "the decoder was not done with this file after \(job.seconds.tenthsRoundedUp) s, and was "
          + "ended")
    case .tooSlow(let seconds):
      end(worker)
      throw HoldfastError(
        .overdue,
        "the decoder would take about \(seconds.rounded(.up).tenthsRoundedUp) s for this file, "
          + "where \(job.seconds.tenthsRoundedUp) s are allowed, and was ended")
    case .garbled(let error):
      end(worker)
      throw HoldfastError(
        .worker, "the decoder gave no sensible answer: \(error)", operation: "answer")
    case .ended:
      // It has closed its socket, so it should be ending. If it does not end soon, kill it.
      let end = end(worker, within: Self.grace)
      switch end {
      case .exited(WorkerExit.endlessHeader.rawValue):
        throw HoldfastError(
          .damaged, "takes longer to open than any recording; it is damaged, or not a recording")
      case .exited(WorkerExit.hugeHeader.rawValue):
        throw HoldfastError(
          .damaged,
          "its header asks for more memory than any recording needs; it is damaged, or not a "
            + "recording")
      default: throw Self.error(for: end)
      }
    }
  }

  /// Ends workers once they have had no job for a while.
  private func endIdleLater() {
    Task { [weak self, idleTimeout] in
      try? await Task.sleep(for: idleTimeout)
      guard let self else { return }
      let (ended, isMore) = workers.withLock { $0.takeIdle(for: idleTimeout) }
      for worker in ended { end(worker) }
      if isMore { endIdleLater() }
    }
  }

  /// Returns a worker to the idle ones, if it may do more jobs.
  ///
  /// Otherwise the worker ends. If it wrote a file, this waits for the end, so that nothing writes
  /// to the file any more. If it could only read, nothing waits.
  private func release(_ worker: WorkerProcess, of job: WorkerJob) throws {
    if job.request.sharesWorker, !job.isCancelled {
      if workers.withLock({ $0.putBack(worker) }) { endIdleLater() }
    } else if !job.request.writesOutput {
      worker.kill()
      workers.withLock { $0.letEnd(worker) }
    } else if end(worker, within: job.isCancelled ? 0 : Self.grace) == .killed {
      throw HoldfastError(
        .worker, "the decoder went on after its answer about this file, and was ended",
        operation: "answer")
    }
  }

  private static func error(for end: WorkerEnd) -> HoldfastError {
    switch end {
    case .killed, .signaled(SIGKILL):
      HoldfastError(
        .worker, "the decoder was killed while it worked on this file (signal 9)",
        operation: "import")
    case .signaled(let number):
      HoldfastError(.worker, "the decoder crashed on this file (signal \(number))")
    case .exited(let status):
      HoldfastError(.worker, "the decoder ended while it worked on this file (status \(status))")
    case .unknown:
      HoldfastError(.worker, "the decoder ended while it worked on this file", operation: "import")
    }
  }
}

/// The nursery has ended, or no longer answers.
private struct NurseryLoss: Error {
  let cause: WireError
}
