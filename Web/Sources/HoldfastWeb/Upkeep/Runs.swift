import Foundation
import Synchronization

/// Work that continues without a page, such as a backup whose page was closed. It stops when the
/// server ends.
final class Runs: Sendable {
  private struct Kept {
    let task: Task<Void, Never>
    let cancel: @Sendable () -> Void
  }

  private struct State {
    var running: [UUID: Kept] = [:]
    /// Whether the server is ending, so that no further work starts.
    var isEnding = false
  }
  private let state = Mutex(State())

  /// - Parameter cancel: Makes the work undo its changes and end.
  func begin(
    cancel: @escaping @Sendable () -> Void, _ work: @escaping @Sendable () async -> Void
  ) {
    let id = UUID()
    state.withLock { state in
      let task = Task { [self] in
        await work()
        self.state.withLock { _ = $0.running.removeValue(forKey: id) }
      }
      state.running[id] = Kept(task: task, cancel: cancel)
      if state.isEnding { cancel() }
    }
  }

  var areRunning: Bool { state.withLock { !$0.running.isEmpty } }

  /// Stops the work in progress, and waits until it has undone its changes.
  func end() async {
    let running = state.withLock { state in
      state.isEnding = true
      return Array(state.running.values)
    }
    for run in running { run.cancel() }
    for run in running { await run.task.value }
  }
}
