import CLinux
import Foundation
import Glibc
package import HoldfastModel
import HoldfastSupport
import HoldfastWire

/// The process from which workers are forked.
///
/// It has loaded the media libraries, has one thread, and never reads a byte of an untrusted file.
/// Forking a worker takes a millisecond. Loading the libraries takes 70.
package enum Nursery {
  /// Starts workers on request, until standard input, which is a socket, is closed.
  ///
  /// Call it first, on the main thread, before anything is opened and before any thread is started.
  ///
  /// - Parameter makeCalls: Makes the object that does a worker's jobs. Before that object decodes
  ///   a picture of a file, it must call `willDecode` with the number of pixels in the largest one.
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
          try start(over: channel, socket) {
            Worker.run(on: $0, lockdown: lockdown, makeCalls: makeCalls)
          }
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
      // The pool never sends such a message.
      _exit(WorkerExit.misunderstood.rawValue)
    }
  }

  /// Starts a worker, and sends the pool a descriptor that shows when the worker ends.
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
