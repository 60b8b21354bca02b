/// How long somebody is still waited for.
///
/// It is used up in waits of a second at most: when this process is stopped, or the machine sleeps,
/// only the wait counts in which that happened. Whoever is waited for was stopped as well.
struct Patience {
  private static let longestWait = 1000.0

  /// What is left, in milliseconds.
  private var left: Double

  /// A patience of so many seconds.
  init(_ seconds: Double) { left = max(seconds, 0) * 1000 }

  /// How long to wait next, in milliseconds, as `poll` takes it; rounded up, so that nobody asks again
  /// and again.
  var nextWait: CInt { CInt(min(left, Self.longestWait).rounded(.up)) }

  /// Takes off what a wait took, which was to last so many milliseconds.
  mutating func wait(_ duration: Duration, of milliseconds: CInt) {
    left -= min(duration / .milliseconds(1), Double(milliseconds))
  }

  /// Whether nobody is waited for any longer.
  var isOver: Bool { left < 0.5 }
}

/// When a job as a whole must be over.
///
/// Time counts in steps of a second at most, as with ``Patience``: a machine that slept, or a process
/// that was stopped, has used up none of it.
package struct Deadline: Sendable {
  /// How long one step may last, in milliseconds.
  static let longestStep: CInt = 1000

  /// What is left, in milliseconds.
  private var left: Double
  private var last = ContinuousClock.now

  /// A deadline in so many seconds.
  package init(in seconds: Double) { left = max(seconds, 0) * 1000 }

  /// Takes off the time since the last call. Call it at least once a second.
  mutating func tick() {
    let now = ContinuousClock.now
    left -= min((now - last) / .milliseconds(1), Double(Self.longestStep))
    last = now
  }

  /// Whether the time is used up.
  var isOver: Bool { left <= 0 }
}
