public import Foundation

/// How long a step that writes waits for the library's writer lock, and how the wait is reported.
public struct LockTimeoutPolicy: Sendable {
  /// The length in seconds up to which a wait is not reported.
  ///
  /// Cancelling a task does not end such a short wait either. Nearly every lock is free by then.
  public static let unnoticed = 1.0

  /// The number of seconds after which the step fails with ``LockTimeout``.
  public var seconds: Double
  /// Called from the waiting thread, once in each wait that lasts longer than a second.
  public var notice: @Sendable (LockWait) -> Void

  /// Makes a patience. By default it waits 60 s and reports nothing.
  public init(seconds: Double = 60, notice: @escaping @Sendable (LockWait) -> Void = { _ in }) {
    self.seconds = seconds
    self.notice = notice
  }

  /// Returns the same patience, but with a wait of at most `seconds`.
  public func atMost(_ seconds: Double) -> LockTimeoutPolicy {
    LockTimeoutPolicy(seconds: min(self.seconds, seconds), notice: notice)
  }

  /// Returns the same patience, with notices that say what the wait is for.
  ///
  /// - Parameter purpose: What the wait is for, such as "to bring the catalog up to date".
  public func waiting(_ purpose: String) -> LockTimeoutPolicy {
    LockTimeoutPolicy(seconds: seconds) { [notice] wait in
      var wait = wait
      wait.purpose = purpose
      notice(wait)
    }
  }
}

/// A wait for a library's writer lock that has lasted for a second.
public struct LockWait: Hashable, Sendable, CustomStringConvertible {
  /// The library's folder.
  public var library: String
  /// The process that holds the lock; `nil` if the system does not say.
  public var holder: LockHolder?
  /// What the wait is for, such as "to bring the catalog up to date"; `nil` if that is obvious.
  public var purpose: String?

  /// Makes a wait.
  public init(library: String, holder: LockHolder?, purpose: String? = nil) {
    self.library = library
    self.holder = holder
    self.purpose = purpose
  }

  /// The text for a person: who holds the lock, and what to do if that process is stopped.
  public var description: String {
    let holder = self.holder
    let purpose = purpose.map { " \($0)" } ?? ""
    return "waiting\(purpose) for \(holder.text), which keeps the library in "
      + "\(library.escapedForDisplay) locked" + (holder?.wayOut.map { "; \($0)" } ?? "")
  }
}

/// The error when a library's writer lock did not become free within the time that a step waits for
/// it. Nothing was done.
public struct LockTimeout: Error, Hashable, CustomStringConvertible {
  /// The library's folder.
  public var library: String
  /// The number of seconds that the step waited.
  public var seconds: Double
  /// The process that held the lock at the end; `nil` if the system does not say.
  public var holder: LockHolder?

  /// Makes an error.
  public init(library: String, seconds: Double, holder: LockHolder?) {
    self.library = library
    self.seconds = seconds
    self.holder = holder
  }

  /// What happened, without what to do about it.
  public var reason: String {
    "the library in \(library.escapedForDisplay) is \(wait)"
  }

  private var wait: String {
    let time = Int(exactly: seconds).map(String.init) ?? "\(seconds)"
    return "locked: waited \(time) s for \(holder.text)"
  }

  /// What happened and what to do about it, without the library: "locked: waited 60 s for …; try
  /// again …".
  public var clause: String { "\(wait); \(remedy)" }

  var remedy: String { holder?.wayOut ?? "try again when that is done" }

  /// The text for a person, in one sentence: how long the wait was, who holds the lock, and what to
  /// do.
  public var description: String { "\(reason); \(remedy)" }
}

/// The process that holds a library's writer lock, as the system describes it.
public struct LockHolder: Hashable, Sendable, CustomStringConvertible {
  /// The process's number.
  public var processID: Int32
  /// The program and, for Holdfast, the command: "holdfast import". It never includes an argument
  /// or a path.
  public var command: String
  /// When the process started; `nil` if this is not known.
  public var started: Date?
  /// Whether the process is stopped, by Ctrl-Z or SIGSTOP.
  public var isStopped: Bool

  /// Makes a holder.
  public init(processID: Int32, command: String, started: Date? = nil, isStopped: Bool = false) {
    self.processID = processID
    self.command = command
    self.started = started
    self.isStopped = isStopped
  }

  /// The text for a person: "holdfast import (process 1234, since 2026-11-22 20:21)".
  public var description: String {
    let since = started.map { ", since \($0.localText)" } ?? ""
    let state = isStopped ? ", stopped" : ""
    return "\(command.escapedForDisplay) (process \(processID)\(since)\(state))"
  }

  /// What a person can do besides waiting; `nil` for nothing.
  var wayOut: String? {
    isStopped ? "kill -CONT \(processID) lets it go on, and kill \(processID) ends it" : nil
  }
}

extension LockHolder? {
  fileprivate var text: String {
    self?.description ?? "another program, perhaps in a container or on another computer"
  }
}
