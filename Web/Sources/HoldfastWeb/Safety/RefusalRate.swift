import Synchronization

/// A limit on how many requests are refused in a second.
///
/// At the limit, each further one waits for its turn. A flood of them then waits, and does not keep
/// the server from its user.
final class RefusalRate: Sendable {
  /// The time for one refusal.
  private static let interval = Duration.milliseconds(10)
  /// How many come at once before the first one waits.
  private static let burst = 100
  private static let longestWait = Duration.seconds(10)
  /// The time at which the next one has its turn, if it came then.
  private let next = Mutex(ContinuousClock.now)

  /// Waits for the turn of a request that will be refused.
  func wait() async {
    let now = ContinuousClock.now
    let turn = next.withLock { next in
      let turn = min(max(next, now - Self.interval * Self.burst), now + Self.longestWait)
      next = turn + Self.interval
      return turn
    }
    if turn > now { try? await Task.sleep(until: turn) }
  }
}
