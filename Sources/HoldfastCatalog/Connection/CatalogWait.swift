internal import Glibc
internal import GRDB
internal import Synchronization

/// How a connection waits while another process has the database to itself: while it commits, compacts,
/// or rolls back what a killed one left.
public struct CatalogWait: Sendable {
  /// A wait that is shorter is not worth a word.
  static let unnoticed = Duration.seconds(1)
  /// How long to wait for a program that is not known to be at work.
  static let longest = Duration.seconds(5)

  /// For how many seconds a reader waits for one of our own commands; for a moment in any case.
  public var seconds: Double
  /// Whether one of our own commands is at work, so that waiting longer leads to an answer.
  public var isAnotherAtWork: @Sendable () -> Bool
  /// Called from the waiting thread, at most once for each connection, after a second.
  public var notice: @Sendable () -> Void
  /// Says after how many seconds, and because of whom, a reader gave up; `nil` where that is not known.
  public var failure: @Sendable (Double) -> String?

  /// Makes a wait.
  public init(
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

  /// How long a reader waits for one of our own commands, in seconds. A commit takes less than a moment:
  /// no command has to fail because of one.
  private var patience: Double { max(seconds, Self.unnoticed / .seconds(1)) }

  /// An error in which a reader's wait has ended, with whom it waited for.
  func explaining(_ error: CatalogError) -> CatalogError {
    guard error.code == .busy, let reason = failure(patience) else { return error }
    var error = error
    error.reason = reason
    return error
  }

  private struct State {
    var begin = ContinuousClock.now
    var hasNoticed = false
  }

  /// What SQLite asks each time that it finds the database locked.
  ///
  /// Only a reader waits longer while others work, as long as a person is willing to. A writer that waits to commit keeps new readers out,
  /// so it soon gives up.
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

/// A mutex that an escaping closure can hold.
private final class OwnedState<Value>: Sendable {
  let value: Mutex<Value>
  init(_ value: sending Value) { self.value = Mutex(value) }
}
