/// The remaining time to wait for the other side.
///
/// The time is used up in waits of at most a second. If this process is stopped or the machine
/// sleeps, only the wait in which that happened counts, because the other side was stopped as well.
struct CountedTimeout {
  private static let longestWait = 1000.0

  /// The remaining time, in milliseconds.
  private var left: Double

  init(_ seconds: Double) { left = max(seconds, 0) * 1000 }

  /// The length of the next wait in milliseconds, for `poll`. It is rounded up, so that the caller
  /// does not poll again and again.
  var nextWait: CInt { CInt(min(left, Self.longestWait).rounded(.up)) }

  /// Subtracts how long a wait took, but no more than the `milliseconds` that it was meant to last.
  mutating func wait(_ duration: Duration, of milliseconds: CInt) {
    left -= min(duration / .milliseconds(1), Double(milliseconds))
  }

  var isOver: Bool { left < 0.5 }
}

/// The time by which a job as a whole must be over.
///
/// Time is counted in steps of at most a second, as with ``CountedTimeout``. Time in which the
/// machine slept or the process was stopped does not count beyond one step.
package struct Deadline: Sendable {
  /// The longest step, in milliseconds.
  package static let longestStep: CInt = 1000

  /// The remaining time, in milliseconds.
  private var left: Double
  private var last = ContinuousClock.now
  /// The whole time, in seconds.
  package let seconds: Double

  package init(in seconds: Double) {
    self.seconds = max(seconds, 0)
    left = self.seconds * 1000
  }

  /// Subtracts the time since the last call. Call it at least once a second.
  package mutating func tick() {
    let now = ContinuousClock.now
    left -= min((now - last) / .milliseconds(1), Double(Self.longestStep))
    last = now
  }

  package var isOver: Bool { left <= 0 }

  /// Returns how long work will take as a whole if it goes on as fast as so far, in seconds; `nil`
  /// while it may still be done in time.
  ///
  /// Work has no steady speed, so a forecast is made once a tenth of the time is used up, and only
  /// work that would take more than twice the time is given up.
  ///
  /// - Parameter share: The share of the work that is done, from 0 to 1.
  package func excess(done share: Double) -> Double? {
    let used = seconds - left / 1000
    guard share > 0, used >= seconds / 10, used / share > seconds * 2 else { return nil }
    return used / share
  }
}
