package import HoldfastModel

package enum WorkerReply: Codable, Sendable {
  case alive
  /// The share of a conversion that is done, from 0 to 1.
  case progress(Double)
  case done(MediaReport)
  case described(WorkerDescription)
  /// The job failed. A worker that accepts more jobs is ready for the next one.
  case failed(MediaFailure)
  /// Pictures with this many pixels need more memory than the worker has. The worker ends, and has
  /// written nothing.
  case needsMemory(pixels: Int)
  /// The worker could not sandbox itself, for this reason, and ends.
  case unfit(String)
}
