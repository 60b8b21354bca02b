/// The statuses with which a worker ends on its own.
package enum WorkerExit: Int32, Sendable {
  /// Its work is done, or the pool no longer needs it.
  case done = 0
  case unfit = 1
  /// It received something that the pool never sends.
  case misunderstood = 2
  /// Its file's header took too long to read.
  case endlessHeader = 3
  /// Its file's header took more memory than the header of any recording.
  case hugeHeader = 5
  /// The job needs more memory than the worker has. The worker has reported this.
  case tooSmall = 4
}
