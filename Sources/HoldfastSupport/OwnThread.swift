import CLinux
import Dispatch
import HoldfastModel
import Synchronization

/// A flag that one thread sets and others read.
package final class StopFlag: Sendable {
  private let value = Atomic(false)

  package init() {}

  package func set() { value.store(true, ordering: .relaxed) }

  package var isSet: Bool { value.load(ordering: .relaxed) }

  package func check() throws { if isSet { throw CancellationError() } }
}

/// Runs work on a thread of its own.
///
/// Use it for work that computes, or that waits for a disk, a lock or the database. Swift's own
/// threads, and those of Dispatch's concurrent queues on Linux, are only as many as there are
/// cores. When all of them are busy, nothing else runs, not even the code that stops them.
///
/// - Parameters:
///   - abandonsWork: Whether a cancelled call returns at once, while the work goes on until it
///     notices. Such work must own everything that it uses.
///   - work: The work. Its flag is set when the task is cancelled, and long work must check it.
/// - Throws: What `work` throws, or `HoldfastError` if the system has no room for another thread.
package func onOwnThread<Value: Sendable>(
  abandonsWork: Bool = false, _ work: @escaping @Sendable (_ stop: StopFlag) throws -> Value
) async throws -> Value {
  let stop = StopFlag()
  let result = FirstResult<Value>()
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      result.await(continuation)
      let isStarted = startThread(named: "holdfast-work") {
        result.deliver(Result { try work(stop) })
      }
      if !isStarted {
        result.deliver(
          .failure(
            HoldfastError(
              .memory,
              "the system has no room for another thread", operation: "start a thread")))
      }
    }
  } onCancel: {
    stop.set()
    if abandonsWork { result.deliver(.failure(CancellationError())) }
  }
}

/// Waits for a task's value. A cancelled call returns at once, and the task goes on.
package func value<Value: Sendable>(
  unlessCancelled task: Task<Value, any Error>
) async throws -> Value {
  let result = FirstResult<Value>()
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      result.await(continuation)
      Task { result.deliver(await task.result) }
    }
  } onCancel: {
    result.deliver(.failure(CancellationError()))
  }
}

/// Work that runs alongside the thread that waits for it.
package final class WorkAlongside<Value: Sendable>: Sendable {
  private let work: @Sendable () throws -> Value
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isStarted = Atomic(false)
  private let isDone = DispatchSemaphore(value: 0)

  package init(_ work: @escaping @Sendable () throws -> Value) { self.work = work }

  /// Begins the work, if the system has room for another thread.
  package func start() {
    let hasRoom = startThread(named: "holdfast-work") { [self] in
      let value = Result(catching: work)
      result.withLock { $0 = value }
      isDone.signal()
    }
    isStarted.store(hasRoom, ordering: .relaxed)
  }

  /// Waits for the work, or does it now if it was not begun. Call it once.
  package func value() throws -> Value {
    guard isStarted.load(ordering: .relaxed) else { return try work() }
    isDone.wait()
    return try result.withLock { $0 ?? .failure(CancellationError()) }.get()
  }

  /// Waits until the work has ended, and ignores its result. Call it instead of ``value()``.
  package func end() {
    if isStarted.load(ordering: .relaxed) { isDone.wait() }
  }
}

/// Starts a thread that ends on its own. Returns whether the system had room for it.
package func startThread(named name: String, _ work: @escaping @Sendable () -> Void) -> Bool {
  let body = unsafe Unmanaged.passRetained(ThreadBody(work))
  let code = unsafe holdfast_start_thread(
    name,
    { context in
      guard let context = unsafe context else { return }
      unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().work()
    }, body.toOpaque())
  if code != 0 { unsafe body.release() }
  return code == 0
}

/// The work of a new thread, as an object that C code can pass on.
private final class ThreadBody: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

/// Passes the first of several results to the waiting caller, and drops the others.
private final class FirstResult<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, any Error>)
    case delivered(Result<Value, any Error>)
    case closed
  }

  private let state = Mutex(State.open)

  func await(_ continuation: CheckedContinuation<Value, any Error>) {
    state.withLock { state in
      guard case .delivered(let result) = state else {
        state = .awaited(continuation)
        return
      }
      state = .closed
      continuation.resume(with: result)
    }
  }

  func deliver(_ result: Result<Value, any Error>) {
    state.withLock { state in
      switch state {
      case .open: state = .delivered(result)
      case .awaited(let continuation):
        state = .closed
        continuation.resume(with: result)
      case .delivered, .closed: break
      }
    }
  }
}
