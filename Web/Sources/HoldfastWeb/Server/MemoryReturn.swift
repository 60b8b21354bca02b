import CMalloc
import Synchronization

/// Gives memory back to the system after many connections have ended. The C library would keep
/// what thousands of connections used.
final class MemoryReturn: Sendable {
  private struct State {
    /// The connections that have ended since memory was given back.
    var ended = 0
    var isRunning = false
  }

  /// How many connections use memory that is worth the work.
  private static let many = 500
  private let state = Mutex(State())

  /// Notes the end of a connection.
  func noteEnd() {
    let isFirst = state.withLock { state in
      state.ended += 1
      guard state.ended >= Self.many, !state.isRunning else { return false }
      state.isRunning = true
      return true
    }
    if isFirst { Task { await giveBack() } }
  }

  /// Gives memory back each second, until no connection ends any more.
  private func giveBack() async {
    while true {
      try? await Task.sleep(for: .seconds(1))
      _ = malloc_trim(0)
      let isDone = state.withLock { state in
        state.isRunning = state.ended > 0
        state.ended = 0
        return !state.isRunning
      }
      if isDone { return }
    }
  }
}
