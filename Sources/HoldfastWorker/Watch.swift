internal import Foundation
internal import Glibc
internal import HoldfastModel
internal import HoldfastSupport
internal import HoldfastWire

/// The thread that listens while another one works: it ends the process when the socket is closed or
/// a header is made to be read for ever, and tells that work goes on.
///
/// (The kernel's own signal for a parent's end, `PR_SET_PDEATHSIG`, comes when the *thread* ends that
/// started the process.)
struct Watch<Calls: MediaCalls>: Sendable {
  let channel: FrameChannel
  let inbox: Inbox
  let calls: Calls

  /// Starts the thread.
  ///
  /// - Throws: ``LockdownError`` where there is no room for it: nobody would end this process.
  func start() throws(LockdownError) {
    guard startThread(named: "holdfast-watch", { listen() }) else {
      throw LockdownError("start the thread that watches over it", errno: EAGAIN)
    }
  }

  private func listen() -> Never {
    do {
      while true {
        var pulse = Pulse()
        while inbox.isBusy, try !channel.waitsToBeRead(within: pulse.interval(in: calls.header)) {
          if let excess = pulse.excess(of: calls.header) { _exit(excess.rawValue) }
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
    guard frame.descriptors.count == request.files.count, inbox.put(request, frame.descriptors)
    else { throw .malformed("a job that cannot be done") }
  }
}

/// How the job of a worker gets on, as its watch sees it from time to time.
private struct Pulse {
  /// How often it is looked at, in seconds.
  private static let interval = 0.1
  /// How often it is looked at while a header is read, which is the matter of a moment, in seconds.
  private static let headerInterval = 0.02
  /// How often somebody is told that work goes on, in seconds.
  private static let news = 1.0
  /// How much processor time the reading of a header may take, in seconds: some kilobytes are read,
  /// or for an hour of video some megabytes, and nothing is decoded. FFmpeg sorts what a hostile
  /// header lists, and looks each name up among all before.
  private static let longestHeader = 0.8
  /// How much memory the reading of a header may take, in bytes: the index of an hour of slow motion
  /// takes a sixth of it.
  private static let largestHeader = 256 << 20

  private var lastNews = ContinuousClock.now
  private var steps: UInt64 = 0
  private var header: UInt64?
  private var headerBegan = 0.0
  private var memoryBefore = 0

  /// How long to wait for the next look, in seconds.
  func interval(in header: UInt64?) -> Double {
    header == nil ? Self.interval : Self.headerInterval
  }

  /// Whether work has gone on since somebody was told so.
  mutating func hasNews(_ steps: UInt64) -> Bool {
    let now = ContinuousClock.now
    guard now - lastNews >= .seconds(Self.news) else { return false }
    lastNews = now
    defer { self.steps = steps }
    return steps != self.steps
  }

  /// What the reading of a header takes too much of: time or memory. `nil` where it does not, and while
  /// none is read.
  ///
  /// The limit on a worker's memory is that of its pictures, which a header does not need; and a limit
  /// that could be raised again would keep nobody out.
  mutating func excess(of header: UInt64?) -> WorkerExit? {
    guard let header else { return nil }
    let (time, memory) = (Double(clock()) / 1_000_000, Self.mostMemory)
    guard header == self.header else {
      (self.header, headerBegan, memoryBefore) = (header, time, memory)
      return nil
    }
    if time - headerBegan > Self.longestHeader { return .endlessHeader }
    return memory - memoryBefore > Self.largestHeader ? .hugeHeader : nil
  }

  /// The most memory that the process has had, in bytes.
  private static var mostMemory: Int {
    var usage = rusage()
    getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss) << 10
  }
}
