internal import Glibc
internal import HoldfastWire

/// One job of a worker, from the request to the answer.
struct WorkerJob {
  /// What came of it.
  enum Outcome: Sendable {
    /// The worker answered, and waits for the next job.
    case reply(WorkerReply)
    /// The worker is ending or has ended.
    case ended
    /// Nothing was heard of it for too long.
    case stalled
    /// What it said is not what a worker says.
    case garbled(WireError)
  }

  let channel: FrameChannel
  /// How long nothing may be heard, in seconds.
  let stallTimeout: Double
  let progress: (Double) -> Void

  /// Sends the request and waits for the answer, on the thread that calls.
  func run(_ request: [UInt8], _ descriptors: [CInt]) -> Outcome {
    outcome { () throws(WireError) in
      try channel.send(request, descriptors: descriptors, within: stallTimeout)
    }
  }

  /// Waits for the answer, or for the worker's first word.
  func awaitReply() -> Outcome { outcome { () throws(WireError) in } }

  private func outcome(after begin: () throws(WireError) -> Void) -> Outcome {
    do throws(WireError) {
      try begin()
      while let reply = try next() {
        switch reply {
        case .alive: break
        case .progress(let share): progress(share.isFinite ? min(max(share, 0), 1) : 0)
        default: return .reply(reply)
        }
      }
      return .ended
    } catch {
      return switch error {
      case .timedOut: .stalled
      case .system(EPIPE), .system(ECONNRESET): .ended
      default: .garbled(error)
      }
    }
  }

  private func next() throws(WireError) -> WorkerReply? {
    guard let frame = try channel.receive(within: stallTimeout) else { return nil }
    guard frame.descriptors.isEmpty else { throw .malformed("a worker has no files to give") }
    return try WireCoding.decode(WorkerReply.self, from: frame.content)
  }
}
