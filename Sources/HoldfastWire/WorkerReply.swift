package import HoldfastModel

/// What a worker says.
package enum WorkerReply: Codable, Sendable {
  /// Work goes on.
  case alive
  /// So much of a conversion is done, from 0 to 1.
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
  /// The job failed, and the worker is ready for the next.
  case failed(MediaError)
  /// Pictures of so many pixels take more memory than the worker has. It ends; nothing was written.
  case needsMemory(pixels: Int)
  /// The worker could not shut itself in, for this reason, and ends.
  case unfit(String)
}
