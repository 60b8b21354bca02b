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

  /// What media are read and made with.
  ///
  /// - Throws: ``WorkerProgram/Missing``.
  func engine() throws -> WorkerPool {
    WorkerPool(try WorkerProgram.find(), stallTimeout: stallTimeout)
  }
}
