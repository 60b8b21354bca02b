internal import Foundation
internal import HoldfastModel
internal import HoldfastWire

/// The job that waits for the main thread, or is done there.
final class Inbox: Sendable {
  private enum State {
    case idle
    case waiting(WorkerRequest, [OwnDescriptor])
    case working
  }

  private let condition = NSCondition()
  // SAFETY: It is read and written only while `condition` is locked.
  nonisolated(unsafe) private var state = State.idle

  /// Puts a job in.
  ///
  /// - Returns: Whether there was room: one job at a time.
  func put(_ request: WorkerRequest, _ descriptors: [OwnDescriptor]) -> Bool {
    condition.withLock {
      guard case .idle = state else { return false }
      state = .waiting(request, descriptors)
      condition.signal()
      return true
    }
  }

  /// Waits for the next job.
  func next() -> (WorkerRequest, [OwnDescriptor]) {
    condition.withLock {
      while true {
        if case .waiting(let request, let descriptors) = state {
          state = .working
          return (request, descriptors)
        }
        condition.wait()
      }
    }
  }

  /// Says that the job is done.
  func finish() { condition.withLock { state = .idle } }

  /// Whether a job waits or is done.
  var isBusy: Bool {
    condition.withLock {
      if case .idle = state { false } else { true }
    }
  }
}
