import ArgumentParser
import Synchronization

/// Work that a signal can stop. What it has begun is undone before the command ends.
package final class StoppableWork: Sendable {
  private struct State {
    var isStopped = false
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// Stops the work, or prevents it from starting.
  @Sendable package func stop() {
    let cancel = state.withLock { state in
      state.isStopped = true
      return state.cancel
    }
    cancel?()
  }

  /// Does the work, which must check from time to time whether its task is cancelled.
  ///
  /// - Throws: `ExitCode.interrupted` when the work was stopped, and whatever `work` throws.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task.detached { try await work() }
    let isStopped = state.withLock { state in
      state.cancel = { task.cancel() }
      return state.isStopped
    }
    if isStopped { task.cancel() }
    do { return try await task.value } catch is CancellationError {
      throw ExitCode.interrupted
    }
  }
}
