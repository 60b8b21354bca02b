/// A program that is to run without a network, and without any file but those that are named.
package struct ConfinedProgram: Codable, Sendable {
  /// The environment variable that makes the worker program confine another one, if it is set.
  package static let variable = "HOLDFAST_CONFINES"

  /// The program's path and its arguments. If there are none, the barriers are only tried.
  package var arguments: [String] = []
  /// The environment, such as `HOME=/tmp`.
  package var environment: [String] = []
  /// Files and folders that it may read, and run programs from. Missing ones are passed over.
  package var readable: [String] = []
  /// The folder that it works in, the only one that it may write to.
  package var folder = "/"
  /// How long it may run, in seconds.
  package var seconds = 60.0
  /// The most memory that it may have, in bytes; `nil` for no limit.
  package var memory: UInt64?
  /// Whether it runs only when the machine has nothing else to do.
  package var isIdle = true
  /// Whether it may use the graphics processor, whose driver sees requests that no rule limits.
  package var usesGPU = false

  package init() {}
}

/// What became known about a confined program.
package enum ConfinedReply: Codable, Sendable {
  /// It could not be confined, or not be started, so it was not run.
  case refused(String)
  /// It has ended, with this status or because of this signal, and so have all its processes.
  case ended(status: Int32?, signal: Int32?, lastLine: String)
  /// It took too long and was killed.
  case overdue(lastLine: String)
}
