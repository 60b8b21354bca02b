import Foundation

/// Limits how often a job reports its progress.
///
/// Each report costs both sides as much as a few pictures. A short job would otherwise send a
/// hundred.
final class ProgressThrottle: Sendable {
  /// The shortest time between two reports. No display is updated more often.
  private static let interval = Duration.milliseconds(50)

  // Not a `Mutex`; see `FrameChannel`.
  private let lock = NSLock()
  // SAFETY: It is read and written only while `lock` is locked.
  nonisolated(unsafe) private var last = ContinuousClock.now

  /// A share of 1 is not reported, because the answer shows that the job is done.
  func isWorthSaying(_ share: Double) -> Bool {
    lock.withLock {
      let now = ContinuousClock.now
      guard share < 1, now - last >= Self.interval else { return false }
      last = now
      return true
    }
  }
}
