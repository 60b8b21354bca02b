package import HoldfastModel

/// A message from a worker.
package enum WorkerReply: Codable, Sendable {
  /// The job is making progress.
  case alive
  /// The share of a conversion that is done, from 0 to 1.
  case progress(Double)
  /// The result of ``WorkerRequest/job(_:)``.
  case done(MediaReport)
  /// The result of ``WorkerRequest/describe``.
  case described(WorkerDescription)
  /// The job failed. A worker that takes more jobs is ready for the next one.
  case failed(MediaError)
  /// Pictures with this many pixels need more memory than the worker has. The worker ends, and has
  /// written nothing.
  case needsMemory(pixels: Int)
  /// The worker could not sandbox itself, for this reason, and ends.
  case unfit(String)
}
