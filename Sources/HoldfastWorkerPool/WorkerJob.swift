import Foundation
import Glibc
import HoldfastModel
import HoldfastSupport
import HoldfastWire
import Synchronization

/// One job, from the request to the answer.
final class WorkerJob: Sendable {
  enum Outcome: Sendable {
    case reply(WorkerReply)
    /// The worker is ending or has ended.
    case ended
    /// The worker sent no message for too long.
    case stalled
    /// The job took too long as a whole.
    case overdue
    /// At the rate so far, the job would take so many seconds, which is too long.
    case tooSlow(Double)
    /// The worker sent something that no worker sends.
    case garbled(WireError)
  }

  private struct State {
    var worker: WorkerProcess?
    var isCancelled = false
    var files: [OwnDescriptor]
  }

  let request: WorkerRequest
  /// The longest time without any message about the job, in seconds.
  private let stall: Double
  /// The longest that the job may take as a whole, in seconds.
  let seconds: Double
  private let mostBytes: Int
  private let progress: @Sendable (Double) -> Void
  private let state: Mutex<State>

  /// ``closeFiles()`` closes the files. `progress` gets the share that is done, from 0 to 1.
  init(
    _ request: WorkerRequest, _ files: [OwnDescriptor], stall: Double, seconds: Double,
    mostBytes: Int, progress: @escaping @Sendable (Double) -> Void
  ) {
    self.request = request
    self.stall = stall
    self.seconds = seconds
    self.mostBytes = mostBytes
    self.progress = progress
    state = Mutex(State(files: files))
  }

  var descriptors: [CInt] { state.withLock { $0.files.map(\.number) } }

  /// Closes the job's files. The worker has descriptors of its own.
  func closeFiles() { state.withLock { $0.files = [] } }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Cancels the job, and kills the worker that is doing it.
  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.worker?.kill()
    }
  }

  func awaitReply(of worker: WorkerProcess) -> Outcome {
    defer { state.withLock { $0.worker = nil } }
    var deadline: Deadline? = Deadline(in: seconds)
    do throws(WireError) {
      while let reply = try next(worker.channel, &deadline) {
        switch reply {
        case .alive: break
        case .progress(let share):
          let share = share.isFinite ? min(max(share, 0), 1) : 0
          if !isCancelled { progress(share) }
          if let excess = deadline?.excess(done: share) { return .tooSlow(excess) }
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

  /// Sends the job to a worker: its request, or an order if the worker has done no job yet.
  /// Returns `false` if the worker has ended.
  func send(_ message: some Encodable, to worker: WorkerProcess) throws -> Bool {
    do {
      try worker.channel.send(
        WireCoding.encode(message), descriptors: descriptors, within: stall)
      return true
    } catch WireError.system(let number) where [EPIPE, ECONNRESET].contains(number) {
      return false
    }
  }

  /// Records which worker has the job. From now on, cancelling the job kills that worker.
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
      let frame = try channel.receive(within: stall, before: &deadline, atMost: mostBytes)
    else { return nil }
    guard frame.descriptors.isEmpty else { throw .malformed("a worker has no files to give") }
    return try WireCoding.decode(WorkerReply.self, from: frame.content)
  }
}
