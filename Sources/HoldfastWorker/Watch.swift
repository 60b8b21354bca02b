internal import Foundation
internal import Glibc
internal import HoldfastWire

/// The thread that listens while another one works: it ends the process when the socket is closed or
/// the job given up, and tells that work goes on.
///
/// (The kernel's own signal for a parent's end, `PR_SET_PDEATHSIG`, comes when the *thread* ends that
/// started the process.)
struct Watch: Sendable {
  /// How often work says that it goes on, in seconds.
  private static let interval = 1.0

  let channel: FrameChannel
  let inbox: Inbox
  let steps: @Sendable () -> UInt64

  /// Starts the thread.
  func start() {
    let thread = Thread { listen() }
    thread.name = "holdfast-watch"
    thread.start()
  }

  private func listen() -> Never {
    var seen = steps()
    while true {
      do {
        guard try channel.waitsToBeRead(within: Self.interval) else {
          let now = steps()
          if now != seen, inbox.isBusy {
            try channel.send(WireCoding.encode(WorkerReply.alive))
          }
          seen = now
          continue
        }
        guard let frame = try channel.receive() else { _exit(0) }
        let request = try WireCoding.decode(WorkerRequest.self, from: frame.content)
        if case .cancel = request { _exit(0) }
        guard frame.descriptors.count == request.files.count,
          inbox.put(request, frame.descriptors)
        else { _exit(2) }
      } catch {
        // Whoever speaks like this is not the Library.
        _exit(2)
      }
    }
  }
}
