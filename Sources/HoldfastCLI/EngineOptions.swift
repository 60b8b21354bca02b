internal import ArgumentParser
internal import Holdfast

/// What every command takes that reads or makes media.
struct EngineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Give a file up when the decoder has made no progress on it for so many seconds.",
      valueName: "seconds"))
  var stallTimeout = WorkerPool.defaultStallTimeout

  func validate() throws {
    guard stallTimeout.isFinite, stallTimeout >= 1 else {
      throw ValidationError("--stall-timeout must be at least 1.")
    }
  }

  /// Runs `body` with what media are read and made with, and ends that.
  ///
  /// - Throws: ``WorkerProgram/Missing``, and what `body` throws.
  func withEngine<Value>(_ body: (WorkerPool) async throws -> Value) async throws -> Value {
    let pool = WorkerPool(try WorkerProgram.find(), stallTimeout: stallTimeout)
    pool.prepare()
    let result: Result<Value, any Error>
    do { result = .success(try await body(pool)) } catch { result = .failure(error) }
    await pool.close()
    return try result.get()
  }
}
