internal import Foundation
internal import Glibc
internal import HoldfastModel
internal import HoldfastSupport
internal import HoldfastWire
internal import Synchronization

/// How long a worker may take.
struct WorkerPatience: Sendable {
  /// How long nothing may be heard of a job, in seconds.
  var stall: Double
  /// How long a job may take as a whole, in seconds.
  var job: Double
}

/// One job, from the request to the answer.
final class WorkerJob: Sendable {
  /// What came of it.
  enum Outcome: Sendable {
    /// The worker answered.
    case reply(WorkerReply)
    /// The worker is ending or has ended.
    case ended
    /// Nothing was heard of it for too long.
    case stalled
    /// It took too long as a whole.
    case overdue
    /// What it said is not what a worker says.
    case garbled(WireError)
  }

  private struct State {
    var worker: WorkerProcess?
    var isCancelled = false
    var files: [OwnDescriptor]
  }

  let request: WorkerRequest
  private let patience: WorkerPatience
  private let mostBytes: Int
  private let progress: @Sendable (Double) -> Void
  private let state: Mutex<State>

  /// - Parameters:
  ///   - request: What is asked.
  ///   - files: Its files, which this closes when ``closeFiles()`` is called.
  ///   - patience: How long it may take.
  ///   - mostBytes: How long the answer may be.
  ///   - progress: Takes the share that is done.
  init(
    _ request: WorkerRequest, _ files: [OwnDescriptor], patience: WorkerPatience, mostBytes: Int,
    progress: @escaping @Sendable (Double) -> Void
  ) {
    self.request = request
    self.patience = patience
    self.mostBytes = mostBytes
    self.progress = progress
    state = Mutex(State(files: files))
  }

  /// The numbers of the job's files.
  var descriptors: [CInt] { state.withLock { $0.files.map(\.number) } }

  /// Closes the job's files: the worker has its own.
  func closeFiles() { state.withLock { $0.files = [] } }

  /// How long the job may take as a whole, in seconds.
  var seconds: Double { patience.job }

  /// Whether the job was given up.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Gives the job up, and ends the worker that is at it.
  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.worker?.kill()
    }
  }

  /// Waits for the answer of the worker that has the job.
  func awaitReply(of worker: WorkerProcess) -> Outcome {
    defer { state.withLock { $0.worker = nil } }
    var deadline: Deadline? = Deadline(in: patience.job)
    do throws(WireError) {
      while let reply = try next(worker.channel, &deadline) {
        switch reply {
        case .alive: break
        case .progress(let share):
          if !isCancelled { progress(share.isFinite ? min(max(share, 0), 1) : 0) }
        default: return .reply(reply)
        }
      }
      return .ended
    } catch {
      return switch error {
      case .timedOut: .stalled
      case .overdue: .overdue
      case .system(EPIPE), .system(ECONNRESET): .ended
      default: .garbled(error)
      }
    }
  }

  /// Hands the job to a worker that has done others.
  ///
  /// - Returns: Whether it took it; one that did not has ended.
  func send(to worker: WorkerProcess) throws -> Bool {
    try send(WireCoding.encode(request), to: worker)
  }

  /// Hands the job to a worker that has had none.
  ///
  /// - Returns: Whether it took it; one that did not has ended.
  func send(_ order: WorkerOrder, to worker: WorkerProcess) throws -> Bool {
    try send(WireCoding.encode(order), to: worker)
  }

  private func send(_ content: [UInt8], to worker: WorkerProcess) throws -> Bool {
    do {
      try worker.channel.send(content, descriptors: descriptors, within: patience.stall)
      return true
    } catch WireError.system(let number) where [EPIPE, ECONNRESET].contains(number) {
      return false
    }
  }

  /// Notes which worker has the job: from now on, giving the job up ends it.
  func begin(with worker: WorkerProcess) {
    state.withLock { state in
      state.worker = worker
      if state.isCancelled { worker.kill() }
    }
  }

  private func next(
    _ channel: FrameChannel, _ deadline: inout Deadline?
  ) throws(WireError) -> WorkerReply? {
    guard
      let frame = try channel.receive(
        within: patience.stall, before: &deadline, atMost: mostBytes)
    else { return nil }
    guard frame.descriptors.isEmpty else { throw .malformed("a worker has no files to give") }
    return try WireCoding.decode(WorkerReply.self, from: frame.content)
  }
}
