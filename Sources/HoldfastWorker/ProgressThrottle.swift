internal import Foundation

/// Keeps a short job from saying a hundred times how far it is: each word costs both sides as much as
/// a few pictures.
final class ProgressThrottle: Sendable {
  /// Nobody draws more often than this.
  private static let interval = Duration.milliseconds(50)

  // No `Mutex`: see `FrameChannel`.
  private let lock = NSLock()
  // SAFETY: It is read and written only while `lock` is locked.
  nonisolated(unsafe) private var last = ContinuousClock.now

  /// Whether this share is to be said. The whole need not be: the answer says it.
  func isWorthSaying(_ share: Double) -> Bool {
    lock.withLock {
      let now = ContinuousClock.now
      guard share < 1, now - last >= Self.interval else { return false }
      last = now
      return true
    }
  }
}
