import HoldfastModel
import HoldfastWire

/// A running worker. It ends by itself when its socket is closed.
final class WorkerProcess: Sendable {
  let channel: FrameChannel
  private let number: Int32
  private let process: ProcessDescriptor
  private let nursery: NurseryProcess

  init(
    number: Int32, end: ProcessDescriptor, _ channel: FrameChannel, _ nursery: NurseryProcess
  ) {
    self.number = number
    process = end
    self.channel = channel
    self.nursery = nursery
  }

  func kill() { process.kill() }

  /// Tells the nursery to forget the worker if it has ended, and returns whether it has.
  func reapEnded() -> Bool {
    guard process.waitForEnd(within: 0) else { return false }
    _ = nursery.reap(number)
    return true
  }

  /// Kills the worker and waits until it has ended. The nursery is not asked how: it may be ending
  /// too, or it may have been stopped.
  func endWithNursery() {
    kill()
    // Only a process in the middle of a disk access survives this, until the disk answers.
    while !process.waitForEnd(within: 1) {}
  }

  /// Waits until the worker has ended and its files are closed. Kills it if that takes too long.
  func end(within seconds: Double) -> WorkerEnd {
    let hasEnded = process.waitForEnd(within: seconds)
    if !hasEnded { endWithNursery() }
    let end = nursery.reap(number)
    return hasEnded ? end : .killed
  }
}

/// The way in which a worker or the nursery ended.
enum WorkerEnd: Hashable, Sendable {
  /// It ended by itself, with this status.
  case exited(Int32)
  /// It ended because of this signal, from the kernel or another process.
  case signaled(Int32)
  case killed
  /// This is not known, because the nursery has ended, or because the system has forgotten it.
  case unknown
}
