internal import Foundation
internal import Glibc
package import HoldfastModel
internal import HoldfastWire

/// A process that reads and makes media for somebody else, and can do nothing else.
package enum Worker {
  /// Shuts every door behind the process, then does the jobs that come over standard input, a
  /// socket, one at a time, until whoever sends them closes it.
  ///
  /// Call it first, on the main thread: nothing may have been opened, and no thread made.
  ///
  /// - Parameter makeCalls: Makes what does the jobs. Its argument is to be told how many pixels the
  ///   largest picture of a file has, before one of it is decoded.
  package static func run<Calls: MediaCalls>(
    _ makeCalls: (_ willDecode: @escaping @Sendable (_ pixels: Int) -> Void) -> Calls
  ) -> Never {
    let channel = FrameChannel(OwnDescriptor(owning: STDIN_FILENO))
    do {
      let outcome = try Lockdown.run(touching: { _ = makeCalls { _ in }.libraries() })
      let calls = makeCalls { outcome.limits.allow(pixels: $0) }
      try channel.send(WireCoding.encode(WorkerReply.ready(WorkerGreeting())))
      let inbox = Inbox()
      Watch(channel: channel, inbox: inbox, calls: calls).start()
      serve(inbox, channel, calls, outcome)
    } catch let error as LockdownError {
      try? channel.send(WireCoding.encode(WorkerReply.unfit(error.description)))
    } catch {
      // Whoever would be told has gone.
    }
    _exit(WorkerExit.unfit.rawValue)
  }

  /// Does the jobs as they come.
  private static func serve(
    _ inbox: Inbox, _ channel: FrameChannel, _ calls: some MediaCalls, _ outcome: Lockdown.Outcome
  ) -> Never {
    while true {
      let throttle = ProgressThrottle()
      let job = Job(inbox.next(), calls: calls, outcome: outcome) { share in
        guard throttle.isWorthSaying(share) else { return }
        try? channel.send(WireCoding.encode(WorkerReply.progress(share)))
      }
      let reply = job.run()
      // Before the answer is out: what comes after it is the next job's.
      inbox.finish()
      do {
        try channel.send(WireCoding.encode(reply))
      } catch WireError.malformed(let what) {
        let error = MediaError(.library, "more is to be said of it than a message holds: \(what)")
        try? channel.send(WireCoding.encode(WorkerReply.failed(error)))
      } catch {
        _exit(WorkerExit.done.rawValue)
      }
    }
  }
}
