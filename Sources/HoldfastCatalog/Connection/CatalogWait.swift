import Glibc
import GRDB
import HoldfastModel
import Synchronization

/// How a connection waits while another process has the database to itself.
///
/// The other process may be committing, compacting, or rolling back after a killed process.
package struct CatalogWait: Sendable {
  /// A shorter wait is not reported.
  static let unnoticed = Duration.seconds(1)
  /// How long to wait for a program that is not known to be a Holdfast command at work.
  static let longest = Duration.seconds(5)

  /// How many seconds a reader waits for another Holdfast command. It is at least one second.
  package var seconds: Double
  /// Returns whether another Holdfast command is at work, so that a longer wait makes sense.
  package var isAnotherAtWork: @Sendable () -> Bool
  /// Called from the waiting thread after a second, at most once for each connection.
  package var notice: @Sendable () -> Void
  /// Returns the reason why a reader gave up, with the seconds that it waited and the process that
  /// it waited for; `nil` if the process is not known.
  package var failure: @Sendable (Double) -> String?

  package init(
    seconds: Double = 60,
    isAnotherAtWork: @escaping @Sendable () -> Bool = { false },
    notice: @escaping @Sendable () -> Void = {},
    failure: @escaping @Sendable (Double) -> String? = { _ in nil }
  ) {
    self.seconds = seconds
    self.isAnotherAtWork = isAnotherAtWork
    self.notice = notice
    self.failure = failure
  }

  /// How long a reader waits for another Holdfast command, in seconds.
  ///
  /// A commit takes much less than a second, so no command has to fail because of one.
  private var patience: Double { max(seconds, Self.unnoticed / .seconds(1)) }

  /// Returns a busy error with a reason that names the process that the reader waited for, if
  /// known.
  func explaining(_ error: HoldfastError) -> HoldfastError {
    guard error.code == .busy, let reason = failure(patience) else { return error }
    var error = error
    error.reason = reason
    return error
  }

  private struct State {
    var begin = ContinuousClock.now
    var hasNoticed = false
  }

  /// Returns SQLite's callback for a locked database.
  ///
  /// Only a reader waits longer while others work, as long as a person is willing to wait. A writer
  /// that waits to commit stops new readers, so it soon gives up.
  func busyMode(_ access: Catalog.Access) -> Database.BusyMode {
    let state = OwnedState(State())
    let (isAnotherAtWork, notice, patience) = (isAnotherAtWork, notice, Duration.seconds(patience))
    return .callback { tries in
      let waited = state.value.withLock { state in
        if tries == 0 { state.begin = .now }
        return state.begin.duration(to: .now)
      }
      let isPatient =
        access == .reading && waited >= min(patience, Self.longest) && isAnotherAtWork()
      if waited >= (isPatient ? patience : Self.longest) { return false }
      if waited >= Self.unnoticed {
        let isFirst = state.value.withLock { state in
          defer { state.hasNoticed = true }
          return !state.hasNoticed
        }
        if isFirst { notice() }
      }
      usleep(UInt32(min(tries + 1, 25)) * 1000)
      return true
    }
  }
}

/// A mutex that an escaping closure can capture.
private final class OwnedState<Value>: Sendable {
  let value: Mutex<Value>
  init(_ value: sending Value) { self.value = Mutex(value) }
}
