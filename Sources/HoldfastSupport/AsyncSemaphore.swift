import Synchronization

/// A semaphore for tasks, first come, first served.
public final class AsyncSemaphore: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  /// Makes a semaphore for this many tasks at a time.
  public init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Waits until fewer than the limit are running, and runs `body`.
  public func withPermit<Value, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    await wait()
    defer { signal() }
    return try await body()
  }

  private func wait() async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          continuation.resume()
          return
        }
        state.waiting.append(continuation)
      }
    }
  }

  private func signal() {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return
      }
      state.waiting.removeFirst().resume()
    }
  }
}
