/// What the Library asks of the nursery, beside new workers: an empty frame with a descriptor beside it
/// asks for one, to which that socket belongs.
package enum NurseryRequest: Codable, Sendable {
  /// Conversions will follow, so it should make ready what they use. There is no answer.
  case rehearse
  /// How a worker ended.
  case reap(process: Int32)
}

/// What the nursery says.
package enum NurseryReply: Codable, Sendable {
  /// The first word: workers can be asked for.
  case ready(WorkerGreeting)
  /// The nursery cannot work, for this reason.
  case unfit(String)
  /// A worker was started; beside this comes a descriptor that can be polled for its end.
  case started(process: Int32)
  /// No worker could be started: the system's error number.
  case refused(Int32)
  /// A worker has ended with this status, or of this signal; neither where it has not ended.
  case ended(status: Int32?, signal: Int32?)
}

/// How the nursery introduces itself.
package struct WorkerGreeting: Codable, Hashable, Sendable {
  /// The version of these messages that this code speaks: library and worker must agree on it.
  package static let version = 4

  /// The version that the worker speaks.
  package var version: Int

  /// Makes a greeting in this code's version.
  package init() { version = Self.version }
}
