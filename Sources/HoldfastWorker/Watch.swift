internal import Foundation
internal import Glibc
internal import HoldfastModel
internal import HoldfastWire

/// The thread that listens while another one works: it ends the process when the socket is closed, the
/// job given up, or a header made to be read for ever, and tells that work goes on.
///
/// (The kernel's own signal for a parent's end, `PR_SET_PDEATHSIG`, comes when the *thread* ends that
/// started the process.)
struct Watch<Calls: MediaCalls>: Sendable {
  let channel: FrameChannel
  let inbox: Inbox
  let calls: Calls

  /// Starts the thread.
  func start() {
    let thread = Thread { listen() }
    thread.name = "holdfast-watch"
    thread.start()
  }

  private func listen() -> Never {
    do {
      while true {
        var pulse = Pulse()
        while inbox.isBusy, try !channel.waitsToBeRead(within: pulse.interval) {
          if pulse.isStuck(in: calls.header) { _exit(WorkerExit.endlessHeader.rawValue) }
          if pulse.hasNews(calls.steps) { try channel.send(WireCoding.encode(WorkerReply.alive)) }
        }
        try take()
      }
    } catch {
      // Whoever speaks like this is not the Library.
      _exit(WorkerExit.misunderstood.rawValue)
    }
  }

  /// Takes the next request; the Library sends one only when there is no job.
  private func take() throws(WireError) {
    guard let frame = try channel.receive() else { _exit(WorkerExit.done.rawValue) }
    let request = try WireCoding.decode(WorkerRequest.self, from: frame.content)
    if case .cancel = request { _exit(WorkerExit.done.rawValue) }
    guard frame.descriptors.count == request.files.count, inbox.put(request, frame.descriptors)
    else { throw .malformed("a job that cannot be done") }
  }
}

/// How the job of a worker gets on, as its watch sees it from time to time.
private struct Pulse {
  /// How often it is looked at, in seconds.
  let interval = 0.1
  /// How often somebody is told that work goes on, in looks.
  private static let looksForNews = 10
  /// How much processor time the reading of a header may take, in seconds: some kilobytes are read,
  /// or for an hour of video some megabytes, and nothing is decoded. FFmpeg sorts what a hostile
  /// header lists, and looks each name up among all before.
  private static let longestHeader = 0.8

  private var looks = 0
  private var steps: UInt64 = 0
  private var header: UInt64?
  private var headerBegan = 0.0

  /// Whether work has gone on since somebody was told so.
  mutating func hasNews(_ steps: UInt64) -> Bool {
    looks += 1
    guard looks % Self.looksForNews == 0, steps != self.steps else { return false }
    self.steps = steps
    return true
  }

  /// Whether the same header has been read for too long.
  mutating func isStuck(in header: UInt64?) -> Bool {
    let now = Double(clock()) / 1_000_000
    guard let header, header == self.header else {
      self.header = header
      headerBegan = now
      return false
    }
    return now - headerBegan > Self.longestHeader
  }
}
