internal import ArgumentParser
internal import Synchronization

/// Work that a signal stops: what it has begun is taken back before the command ends.
final class StoppableWork: Sendable {
  private struct State {
    var isStopped = false
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Stops the work, or keeps it from beginning.
  @Sendable func stop() {
    let cancel = state.withLock { state in
      state.isStopped = true
      return state.cancel
    }
    cancel?()
  }

  /// Does the work, which looks from time to time whether its task was cancelled.
  ///
  /// - Throws: `ExitCode.interrupted` when it was stopped, and what `work` throws.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let task = Task.detached { try work() }
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
