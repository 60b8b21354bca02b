import CLinux
import Foundation
import Glibc
import HoldfastModel
import HoldfastSupport
import HoldfastWire

/// A process that does jobs for the pool, and can do nothing else.
enum Worker {
  /// Does the first job (a ``WorkerOrder``, with its files beside it), and then others if the first
  /// one shares its worker.
  ///
  /// - Parameter socket: The socket from which jobs come. It replaces standard input. Standard
  ///   output and error remain `/dev/null`, so that no file can get their numbers and receive a
  ///   library's last words.
  static func run<Calls: MediaCalls>(
    on socket: OwnDescriptor, lockdown: Lockdown,
    makeCalls: (_ willDecode: @escaping @Sendable (_ pixels: Int) -> Void) -> Calls
  ) -> Never {
    dup2(socket.number, STDIN_FILENO)
    // The nursery's descriptors are not for workers.
    holdfast_close_from(3)
    let channel = FrameChannel(OwnDescriptor(owning: STDIN_FILENO))
    do {
      // The pool had no job for this worker.
      guard var frame = try channel.receive() else { _exit(WorkerExit.done.rawValue) }
      let (inbox, most, landlock) = try enterSandbox(&frame, lockdown)
      let calls = makeCalls { pixels in
        guard pixels > most else { return }
        // Nothing has been written: the source's header is read before the output is begun.
        try? channel.send(WireCoding.encode(WorkerReply.needsMemory(pixels: pixels)))
        _exit(WorkerExit.tooSmall.rawValue)
      }
      try JobMonitor(channel: channel, inbox: inbox, calls: calls).start()
      serve(inbox, channel: channel, calls: calls, landlock: landlock)
    } catch let error as LockdownError {
      try? channel.send(WireCoding.encode(WorkerReply.unfit(error.description)))
      _exit(WorkerExit.unfit.rawValue)
    } catch {
      _exit(WorkerExit.misunderstood.rawValue)
    }
  }

  /// Sandboxes this process.
  ///
  /// - Returns: An inbox with the first job, the number of pixels for which there is memory, and
  ///   the version of Landlock. Only the inbox holds the job's files, so that they are closed when
  ///   the job is done.
  private static func enterSandbox(
    _ frame: inout Frame, _ lockdown: Lockdown
  ) throws -> (Inbox, pixels: Int, landlock: Int?) {
    let files = frame.descriptors
    frame.descriptors = []
    let order = try WireCoding.decode(WorkerOrder.self, from: frame.content)
    guard files.count == order.request.fileCount else {
      throw WireError.malformed("a job without its files")
    }
    let landlock = try lockdown.shut(for: order, files)
    let inbox = Inbox(order.request, files, takesMore: order.request.sharesWorker)
    return (inbox, order.pixels, landlock)
  }

  private static func serve(
    _ inbox: Inbox, channel: FrameChannel, calls: some MediaCalls, landlock: Int?
  ) -> Never {
    while let (request, files) = inbox.next() {
      let reply = reply(
        to: request, files: files, channel: channel, calls: calls, landlock: landlock)
      // Finish before the answer is sent, because the next job may follow it at once.
      inbox.finish()
      do {
        try channel.send(WireCoding.encode(reply))
      } catch WireError.malformed(let what) {
        let error = HoldfastError(.library, "there is more to report than a message holds: \(what)")
        try? channel.send(WireCoding.encode(WorkerReply.failed(MediaFailure(error))))
      } catch {
        break
      }
    }
    _exit(WorkerExit.done.rawValue)
  }

  private static func reply(
    to request: WorkerRequest, files: [OwnDescriptor], channel: FrameChannel,
    calls: some MediaCalls, landlock: Int?
  ) -> WorkerReply {
    guard case .job(let job) = request else {
      return .described(
        WorkerDescription(
          libraries: calls.libraries(), doors: DoorCheck.all(landlock: landlock),
          landlock: landlock))
    }
    defer { withExtendedLifetime(files) {} }
    let throttle = ProgressThrottle()
    do throws(HoldfastError) {
      return .done(
        try calls.perform(job.lending(files.map(\.number))) { share in
          guard throttle.isWorthSaying(share) else { return }
          try? channel.send(WireCoding.encode(WorkerReply.progress(share)))
        })
    } catch {
      return .failed(MediaFailure(error))
    }
  }
}
