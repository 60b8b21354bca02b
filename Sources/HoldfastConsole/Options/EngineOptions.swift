package import ArgumentParser
package import HoldfastWorkerPool

/// The options of every command that reads or makes media files.
package struct EngineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Give up a file when the decoder has made no progress on it for this many seconds.",
      valueName: "seconds"))
  package var stallTimeout = WorkerPool.defaultStallTimeout

  @Option(
    help: ArgumentHelp(
      "Give up a file when one step of the decoder's work on it takes longer than this (default: "
        + "five minutes plus ten times the recording's length).",
      valueName: "seconds"))
  package var jobTimeout: Double?

  package init() {}

  package func validate() throws {
    guard stallTimeout.isFinite, stallTimeout >= 1 else {
      throw ValidationError("--stall-timeout must be at least 1.")
    }
    guard jobTimeout.map({ $0.isFinite && $0 >= 1 }) ?? true else {
      throw ValidationError("--job-timeout must be at least 1.")
    }
  }

  /// Runs `body` with a media engine until a signal stops it.
  ///
  /// - Throws: `ExitCode.interrupted` when a signal stopped it, and whatever `body` throws.
  package func interruptibly<Value: Sendable>(
    _ body: @escaping @Sendable (WorkerPool) async throws -> Value
  ) async throws -> Value {
    do {
      return try await withEngine { engine in
        let task = Task { try await body(engine) }
        return try await Interruption.handled(by: task.cancel) { try await task.value }
      }
    } catch is CancellationError {
      throw ExitCode.interrupted
    }
  }

  /// Runs `body` with a media engine, and closes the engine afterwards.
  package func withEngine<Value>(_ body: (WorkerPool) async throws -> Value) async throws -> Value {
    let pool = WorkerPool(
      try WorkerProgram.find(), stallTimeout: stallTimeout, jobTimeout: jobTimeout)
    pool.prepare()
    let result: Result<Value, any Error>
    do { result = .success(try await body(pool)) } catch { result = .failure(error) }
    await pool.close()
    return try result.get()
  }
}
