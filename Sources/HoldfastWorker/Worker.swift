internal import CLinux
internal import Foundation
internal import Glibc
internal import HoldfastModel
internal import HoldfastSupport
internal import HoldfastWire

/// A process that does jobs for somebody else, and can do nothing else.
enum Worker {
  /// Waits for the first job (a ``WorkerOrder``, with its files beside it), does it, and then those
  /// that follow, if the first is one that shares its worker.
  ///
  /// - Parameters:
  ///   - socket: Where the jobs come from. Standard input takes its place; standard output and error
  ///     stay what they are, `/dev/null`, so that no file gets their numbers and a library's last words.
  ///   - lockdown: What shuts the worker in, before it touches a file.
  ///   - makeCalls: As for ``Nursery/run(_:)``.
  static func run<Calls: MediaCalls>(
    _ socket: OwnDescriptor, _ lockdown: Lockdown,
    _ makeCalls: (_ willDecode: @escaping @Sendable (_ pixels: Int) -> Void) -> Calls
  ) -> Never {
    dup2(socket.number, STDIN_FILENO)
    // Whatever the nursery has open.
    holdfast_close_from(3)
    let channel = FrameChannel(OwnDescriptor(owning: STDIN_FILENO))
    do {
      // A worker that nobody had a job for.
      guard var frame = try channel.receive() else { _exit(WorkerExit.done.rawValue) }
      let (inbox, most, landlock) = try shutIn(&frame, lockdown)
      let calls = makeCalls { pixels in
        guard pixels > most else { return }
        // Nothing of the output is written before the header of the source is read.
        try? channel.send(WireCoding.encode(WorkerReply.needsMemory(pixels: pixels)))
        _exit(WorkerExit.tooSmall.rawValue)
      }
      try Watch(channel: channel, inbox: inbox, calls: calls).start()
      serve(inbox, channel, calls, landlock)
    } catch let error as LockdownError {
      try? channel.send(WireCoding.encode(WorkerReply.unfit(error.description)))
      _exit(WorkerExit.unfit.rawValue)
    } catch {
      _exit(WorkerExit.misunderstood.rawValue)
    }
  }

  /// Shuts the doors.
  ///
  /// - Returns: The first job, which alone has its files: they are closed when it is done. How many
  ///   pixels there is memory for, and the version of Landlock.
  private static func shutIn(
    _ frame: inout Frame, _ lockdown: Lockdown
  ) throws -> (Inbox, pixels: Int, landlock: Int?) {
    let files = frame.descriptors
    frame.descriptors = []
    let order = try WireCoding.decode(WorkerOrder.self, from: frame.content)
    guard files.count == order.request.files.count else {
      throw WireError.malformed("a job without its files")
    }
    let landlock = try lockdown.shut(for: order, files)
    let inbox = Inbox(order.request, files, takesMore: order.request.sharesWorker)
    return (inbox, order.pixels, landlock)
  }

  /// Does the jobs as they come.
  private static func serve(
    _ inbox: Inbox, _ channel: FrameChannel, _ calls: some MediaCalls, _ landlock: Int?
  ) -> Never {
    while let order = inbox.next() {
      let throttle = ProgressThrottle()
      let job = Job(order, calls: calls, landlock: landlock) { share in
        guard throttle.isWorthSaying(share) else { return }
        try? channel.send(WireCoding.encode(WorkerReply.progress(share)))
      }
      let reply = job.run()
      // Before the answer is out: what comes after it is the next job's.
      inbox.finish()
      do {
        try channel.send(WireCoding.encode(reply))
      } catch WireError.malformed(let what) {
        let error = MediaError(.library, "there is more to report than a message holds: \(what)")
        try? channel.send(WireCoding.encode(WorkerReply.failed(error)))
      } catch {
        break
      }
    }
    _exit(WorkerExit.done.rawValue)
  }
}
