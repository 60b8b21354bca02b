internal import CLinux
internal import Foundation
internal import Glibc
package import HoldfastModel
internal import HoldfastSupport
internal import HoldfastWire

/// The process that workers come from: it has loaded the media libraries, has one thread, and never
/// reads a byte of any media file. Each worker is a copy of it (`fork`), which takes a millisecond
/// where loading the libraries takes seventy.
package enum Nursery {
  /// Starts workers for whoever asks over standard input, a socket, until that is closed.
  ///
  /// Call it first, on the main thread: nothing may have been opened, and no thread made.
  ///
  /// - Parameter makeCalls: Makes what does a worker's jobs. Its argument is to be told how many
  ///   pixels the largest picture of a file has, before one of it is decoded.
  package static func run<Calls: MediaCalls>(
    _ makeCalls: (_ willDecode: @escaping @Sendable (_ pixels: Int) -> Void) -> Calls
  ) -> Never {
    let channel = FrameChannel(OwnDescriptor(owning: STDIN_FILENO))
    do {
      let calls = makeCalls { _ in }
      let lockdown = try Lockdown(preparing: { _ = calls.libraries() })
      try channel.send(WireCoding.encode(NurseryReply.ready(WorkerGreeting())))
      while var frame = try channel.receive() {
        if let socket = frame.descriptors.popLast() {
          try start(over: channel, socket) { Worker.run($0, lockdown, makeCalls) }
          continue
        }
        switch try WireCoding.decode(NurseryRequest.self, from: frame.content) {
        case .rehearse: Rehearsal.run(calls)
        case .reap(let process): try channel.send(WireCoding.encode(end(of: process)))
        }
      }
      _exit(WorkerExit.done.rawValue)
    } catch let error as LockdownError {
      try? channel.send(WireCoding.encode(NurseryReply.unfit(error.description)))
      _exit(WorkerExit.unfit.rawValue)
    } catch {
      // Whoever speaks like this is not the Library.
      _exit(WorkerExit.misunderstood.rawValue)
    }
  }

  /// Starts a worker, and hands over a descriptor by which its end is seen.
  private static func start(
    over channel: FrameChannel, _ socket: OwnDescriptor,
    _ work: (OwnDescriptor) -> Never
  ) throws(WireError) {
    let process = holdfast_fork()
    guard process != 0 else { work(socket) }
    let number = errno
    guard process > 0 else {
      return try channel.send(WireCoding.encode(NurseryReply.refused(number)))
    }
    guard let worker = ProcessDescriptor(child: process) else {
      let number = errno
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
      return try channel.send(WireCoding.encode(NurseryReply.refused(number)))
    }
    try channel.send(
      WireCoding.encode(NurseryReply.started(process: process)), descriptors: [worker.number])
  }

  private static func end(of process: Int32) -> NurseryReply {
    var status: CInt = 0
    guard waitpid(process, &status, WNOHANG) == process else {
      return .ended(status: nil, signal: nil)
    }
    let (exit, signal) = (holdfast_exit_status(status), holdfast_end_signal(status))
    return .ended(status: exit >= 0 ? exit : nil, signal: signal >= 0 ? signal : nil)
  }
}
