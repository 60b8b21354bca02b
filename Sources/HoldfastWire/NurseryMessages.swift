/// A request from the pool to the nursery.
///
/// No case starts a worker. The pool asks for one with an empty frame and a socket
/// beside it, which becomes the worker's.
package enum NurseryRequest: Codable, Sendable {
  /// Asks to prepare for conversions, because some will follow. It is not answered.
  case rehearse
  /// Asks how a worker ended.
  case reap(process: Int32)
}

package enum NurseryReply: Codable, Sendable {
  /// The first message. From now on, the pool can ask for workers.
  case ready(WorkerGreeting)
  /// The nursery cannot work, for this reason.
  case unfit(String)
  /// A worker was started. The descriptor beside this message can be polled for the worker's end.
  case started(process: Int32)
  /// No worker could be started. This is the system's error number.
  case refused(Int32)
  /// A worker has ended with this status, or because of this signal. Both are `nil` if it has not
  /// ended.
  case ended(status: Int32?, signal: Int32?)
}

package struct WorkerGreeting: Codable, Hashable, Sendable {
  /// The version of these messages. The pool and the nursery must have the same one.
  package static let version = 5
  package var version: Int

  package init() { version = Self.version }
}
