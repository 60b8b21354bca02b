internal import HoldfastModel
internal import HoldfastWire

/// A running worker: its socket, and its end. It ends by itself when its socket is closed.
final class WorkerProcess: Sendable {
  /// Where jobs go and answers come from.
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

  /// Ends it, whatever it does.
  func kill() { process.kill() }

  /// Has the nursery forget it, if it has ended.
  ///
  /// - Returns: Whether it has.
  func seeOff() -> Bool {
    guard process.waitForEnd(within: 0) else { return false }
    _ = nursery.reap(number)
    return true
  }

  /// Waits until it has ended and its files are closed; kills it when that takes too long.
  ///
  /// - Parameter seconds: How long it may take to end by itself.
  /// - Returns: How it ended.
  func end(within seconds: Double) -> WorkerEnd {
    let hasEnded = process.waitForEnd(within: seconds)
    if !hasEnded {
      kill()
      // Nothing survives that but a process in the middle of a disk's answer.
      while !process.waitForEnd(within: 1) {}
    }
    let end = nursery.reap(number)
    return hasEnded ? end : .killed
  }
}

/// How a worker ended.
enum WorkerEnd: Hashable, Sendable {
  /// By itself, with a status.
  case exited(Int32)
  /// By a signal that somebody else sent, or the kernel.
  case signaled(Int32)
  /// It was killed here.
  case killed
  /// The nursery, which would know, has ended.
  case unknown
}
