import HoldfastModel
import HoldfastSupport

/// A media engine that does a limited number of jobs at a time. Further jobs wait.
///
/// A run works on one more file than the engine has jobs, so that the engine is never idle: while
/// the run hashes, flushes and names the files of one source, the engine reads the next source.
struct LimitedEngine: MediaEngine {
  private let engine: any MediaEngine
  private let semaphore: AsyncSemaphore

  /// - Parameter jobs: The number of jobs at a time, within ``JobCount/range``.
  init(_ engine: any MediaEngine, jobs: Int) {
    self.engine = engine
    semaphore = AsyncSemaphore(JobCount.clamped(jobs))
  }

  func perform(
    _ job: MediaJob, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> MediaReport {
    try await semaphore.withPermit { try await engine.perform(job, progress: progress) }
  }
}
