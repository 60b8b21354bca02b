/// The statuses with which a worker ends by itself.
package enum WorkerExit: Int32, Sendable {
  /// Its work is done, or nobody waits for it any longer.
  case done = 0
  /// It could not begin.
  case unfit = 1
  /// What it was sent is not what the Library sends.
  case misunderstood = 2
  /// The header of the file that it was at would be read for ever.
  case endlessHeader = 3
  /// The header of the file that it was at takes more memory than any recording's.
  case hugeHeader = 5
  /// The job takes more memory than the worker has; it has said so.
  case tooSmall = 4
}
