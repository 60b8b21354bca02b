package import HoldfastModel

/// A message from a worker.
package enum WorkerReply: Codable, Sendable {
  /// The job is making progress.
  case alive
  /// The share of a conversion that is done, from 0 to 1.
  case progress(Double)
  /// The result of ``WorkerRequest/probe(depth:isAlone:source:)``.
  case probed(MediaInfo)
  /// The result of ``WorkerRequest/convert(_:source:output:)``.
  case converted(ConversionReport)
  /// The result of ``WorkerRequest/check(_:source:output:)``.
  case checked(CheckReport)
  /// The result of ``WorkerRequest/thumbnail(_:source:output:)``.
  case thumbnailed(ThumbnailReport)
  /// The result of ``WorkerRequest/measureSound(source:)``.
  case measured(SoundProfile)
  /// The result of ``WorkerRequest/waveform(_:output:)``.
  case drawn(ThumbnailReport)
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
