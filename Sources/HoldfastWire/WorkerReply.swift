package import HoldfastModel

/// What a worker says.
package enum WorkerReply: Codable, Sendable {
  /// The first word: every door is shut, and jobs can come.
  case ready(WorkerGreeting)
  /// Work goes on.
  case alive
  /// So much of a conversion is done, from 0 to 1.
  case progress(Double)
  /// The result of ``WorkerRequest/probe(depth:source:)``.
  case probed(MediaInfo)
  /// The result of ``WorkerRequest/convert(_:source:output:)``.
  case converted(ConversionReport)
  /// The result of ``WorkerRequest/check(_:source:output:)``.
  case checked(CheckReport)
  /// The result of ``WorkerRequest/thumbnail(_:source:output:)``.
  case thumbnailed(ThumbnailReport)
  /// The result of ``WorkerRequest/describe``.
  case described(WorkerDescription)
  /// The job failed, and the worker is ready for the next.
  case failed(MediaError)
  /// The worker cannot begin, for this reason.
  case unfit(String)
}

/// How a worker introduces itself.
package struct WorkerGreeting: Codable, Hashable, Sendable {
  /// The version of these messages that this code speaks: library and worker must agree on it.
  package static let version = 2

  /// The version that the worker speaks.
  package var version: Int

  /// Makes a greeting in this code's version.
  package init() { version = Self.version }
}
