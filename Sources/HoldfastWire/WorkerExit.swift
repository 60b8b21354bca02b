/// The statuses with which a worker ends by itself.
package enum WorkerExit: Int32, Sendable {
  /// Nobody needs it any longer.
  case done = 0
  /// It could not begin.
  case unfit = 1
  /// What it was sent is not what the Library sends.
  case misunderstood = 2
  /// The header of the file that it was at would be read for ever.
  case endlessHeader = 3
}
