import Synchronization

/// A semaphore for tasks, first come, first served.
package final class Places: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  package init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Runs `body` when a place is free, and gives the place back afterwards.
  package func take<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async throws -> Value {
    await waitForPlace()
    defer { giveBack() }
    return try await body()
  }

  private func waitForPlace() async {
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

  private func giveBack() {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return
      }
      state.waiting.removeFirst().resume()
    }
  }
}
