import Foundation
import HoldfastModel
import HoldfastSupport
import HoldfastWire

/// The job that is waiting for the main thread or running on it.
final class Inbox: Sendable {
  private enum State {
    case idle
    case waiting(WorkerRequest, [OwnDescriptor])
    case working
    /// The only job is done, and there will be no other.
    case over
  }

  private let condition = NSCondition()
  private let takesMore: Bool
  // SAFETY: It is read and written only while `condition` is locked.
  nonisolated(unsafe) private var state: State

  init(_ request: WorkerRequest, _ descriptors: [OwnDescriptor], takesMore: Bool) {
    state = .waiting(request, descriptors)
    self.takesMore = takesMore
  }

  /// Adds a job, and returns whether there was room. There is room for one job.
  func put(_ request: WorkerRequest, _ descriptors: [OwnDescriptor]) -> Bool {
    condition.withLock {
      guard case .idle = state else { return false }
      state = .waiting(request, descriptors)
      condition.signal()
      return true
    }
  }

  func next() -> (WorkerRequest, [OwnDescriptor])? {
    condition.withLock {
      while true {
        switch state {
        case .waiting(let request, let descriptors):
          state = .working
          return (request, descriptors)
        case .over: return nil
        case .idle, .working: condition.wait()
        }
      }
    }
  }

  func finish() { condition.withLock { state = takesMore ? .idle : .over } }

  var isBusy: Bool {
    condition.withLock {
      switch state {
      case .waiting, .working: true
      case .idle, .over: false
      }
    }
  }
}
