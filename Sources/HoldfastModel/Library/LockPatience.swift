public import Foundation

/// How long a step that writes waits for the library's writer lock, and who hears of it.
public struct LockPatience: Sendable {
  /// A wait that is shorter, in seconds, is not worth a word; nor does cancelling a task end it, since
  /// nearly every lock is free by then.
  public static let unnoticed = 1.0

  /// After how many seconds the step fails with ``LockTimeout``.
  public var seconds: Double
  /// Called from the waiting thread, once in each wait that lasts for more than a second.
  public var notice: @Sendable (LockWait) -> Void

  /// Makes a patience.
  public init(seconds: Double = 60, notice: @escaping @Sendable (LockWait) -> Void = { _ in }) {
    self.seconds = seconds
    self.notice = notice
  }

  /// The same patience, but no longer than so many seconds.
  public func atMost(_ seconds: Double) -> LockPatience {
    LockPatience(seconds: min(self.seconds, seconds), notice: notice)
  }

  /// The same patience; its notices say what the wait is for.
  ///
  /// - Parameter purpose: What for, such as "to bring the catalog up to date".
  public func waiting(_ purpose: String) -> LockPatience {
    LockPatience(seconds: seconds) { [notice] wait in
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
  /// Who holds the lock; `nil` where the system does not say.
  public var holder: LockHolder?
  /// What the wait is for, where that is not plain: "to bring the catalog up to date".
  public var purpose: String?

  /// Makes a wait.
  public init(library: String, holder: LockHolder?, purpose: String? = nil) {
    self.library = library
    self.holder = holder
    self.purpose = purpose
  }

  /// What a person reads: for whom, and what can be done if that one is stopped.
  public var description: String {
    let holder = self.holder
    let purpose = purpose.map { " \($0)" } ?? ""
    return "waiting\(purpose) for \(holder.text), which keeps the library in "
      + "\(library.escapedForDisplay) locked" + (holder?.wayOut.map { "; \($0)" } ?? "")
  }
}

/// A library's writer lock was not free for as long as a step was willing to wait. Nothing was done.
public struct LockTimeout: Error, Hashable, CustomStringConvertible {
  /// The library's folder.
  public var library: String
  /// How many seconds were waited.
  public var seconds: Double
  /// Who held the lock in the end; `nil` where the system does not say.
  public var holder: LockHolder?

  /// Makes an error.
  public init(library: String, seconds: Double, holder: LockHolder?) {
    self.library = library
    self.seconds = seconds
    self.holder = holder
  }

  /// What happened, without the way out.
  public var reason: String {
    "the library in \(library.escapedForDisplay) is \(wait)"
  }

  private var wait: String {
    let time = Int(exactly: seconds).map(String.init) ?? "\(seconds)"
    return "locked: waited \(time) s for \(holder.text)"
  }

  /// What happened and the way out, without the library: "locked: waited 60 s for …; try again …".
  public var clause: String { "\(wait); \(holder?.wayOut ?? Self.wayOut)" }

  private static let wayOut = "try again when that is done"

  /// What a person reads: the figure, the holder and the way out, in one sentence.
  public var description: String {
    "\(reason); \(holder?.wayOut ?? Self.wayOut)"
  }
}

/// The process that holds a library's writer lock, as the system describes it.
public struct LockHolder: Hashable, Sendable, CustomStringConvertible {
  /// The process's number.
  public var processID: Int32
  /// The program, and of Holdfast the command: "holdfast import". Never an argument or a path.
  public var command: String
  /// When the process began.
  public var started: Date?
  /// Whether somebody has stopped the process, with Ctrl-Z or SIGSTOP.
  public var isStopped: Bool

  /// Makes a holder.
  public init(processID: Int32, command: String, started: Date? = nil, isStopped: Bool = false) {
    self.processID = processID
    self.command = command
    self.started = started
    self.isStopped = isStopped
  }

  /// What a person reads: "holdfast import (process 1234, since 2026-11-22 20:21)".
  public var description: String {
    let since = started.map { ", since \($0.localText)" } ?? ""
    let state = isStopped ? ", stopped" : ""
    return "\(command.escapedForDisplay) (process \(processID)\(since)\(state))"
  }

  /// What can be done about it besides waiting.
  var wayOut: String? {
    isStopped ? "kill -CONT \(processID) lets it go on, and kill \(processID) ends it" : nil
  }
}

extension LockHolder? {
  fileprivate var text: String {
    self?.description ?? "another program, perhaps in a container or on another computer"
  }
}
