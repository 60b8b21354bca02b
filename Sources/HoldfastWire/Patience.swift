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
