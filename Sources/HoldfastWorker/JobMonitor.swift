import Foundation
import Glibc
import HoldfastModel
import HoldfastSupport
import HoldfastWire

/// The thread that listens while another one works.
///
/// It ends the process if the socket is closed or if reading a header takes too much time or
/// memory. It also reports that work goes on.
///
/// (The kernel can send a signal when the parent ends, `PR_SET_PDEATHSIG`. But it already does so
/// when the *thread* that started the process ends.)
struct JobMonitor<Calls: MediaCalls>: Sendable {
  let channel: FrameChannel
  let inbox: Inbox
  let calls: Calls

  /// Starts the thread. Throws if the system has no room for it: without it, nothing would end this
  /// process.
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
        try receive()
      }
    } catch {
      // The pool never sends such a message.
      _exit(WorkerExit.misunderstood.rawValue)
    }
  }

  /// Receives the next request. The pool sends one only between jobs.
  private func receive() throws(WireError) {
    guard let frame = try channel.receive() else { _exit(WorkerExit.done.rawValue) }
    let request = try WireCoding.decode(WorkerRequest.self, from: frame.content)
    guard frame.descriptors.count == request.fileCount, inbox.put(request, frame.descriptors)
    else { throw .malformed("a job that cannot be done") }
  }
}

/// The progress of a worker's job, as its watch checks it from time to time.
private struct Pulse {
  /// The time between two checks, in seconds.
  private static let interval = 0.1
  /// The time between two checks while a header is read, in seconds. Reading one takes only a
  /// moment.
  private static let headerInterval = 0.02
  /// The time between two reports that work goes on, in seconds.
  private static let news = 1.0
  /// The most processor time that reading a header may take, in seconds.
  ///
  /// Some kilobytes are read, or some megabytes for an hour of video, and nothing is decoded.
  /// FFmpeg sorts the entries of a hostile header, and compares each name with all the earlier
  /// ones.
  private static let longestHeader = 0.8
  /// The most memory that reading a header may take, in bytes. The index of an hour of slow motion
  /// takes a sixth of it.
  private static let largestHeader = 256 << 20

  private var lastNews = ContinuousClock.now
  private var steps: UInt64 = 0
  private var header: UInt64?
  private var headerBegan = 0.0
  private var memoryBefore = 0

  func interval(in header: UInt64?) -> Double {
    header == nil ? Self.interval : Self.headerInterval
  }

  /// Returns whether to report now that work has gone on since the last report.
  mutating func hasNews(_ steps: UInt64) -> Bool {
    let now = ContinuousClock.now
    guard now - lastNews >= .seconds(Self.news) else { return false }
    lastNews = now
    defer { self.steps = steps }
    return steps != self.steps
  }

  /// Returns the exit status if reading a header takes too much time or memory; `nil` if it does
  /// not, or if none is read.
  ///
  /// The limit on a worker's memory allows for its pictures, which a header does not need. A lower
  /// limit for the header would have to be raised later, and a limit that can be raised would stop
  /// nothing.
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

  /// The most memory that the process has used so far, in bytes.
  private static var mostMemory: Int {
    var usage = rusage()
    getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss) << 10
  }
}
