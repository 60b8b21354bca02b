internal import CLinux
internal import Foundation
internal import Glibc
internal import HoldfastModel
internal import HoldfastWire

/// What a worker does before its first job: it shuts every door behind it.
enum Lockdown {
  /// What stands afterwards.
  struct Outcome: Sendable {
    /// The version of Landlock; `nil` where there is none.
    var landlock: Int?
    var limits: JobLimits
  }

  /// Shuts the doors of this process.
  ///
  /// - Parameter touch: Uses whatever opens files when it is first used.
  /// - Throws: ``LockdownError`` when one cannot be shut. That Landlock is missing is no error: the
  ///   filter refuses the same calls.
  static func run(touching touch: () -> Void) throws(LockdownError) -> Outcome {
    // Whatever was left open by whoever started this process: standard input is the socket.
    holdfast_close_from(3)
    ignoreSignals()
    touchWhatOpensFiles()
    touch()
    let limits = try JobLimits()
    try refuseIfThreaded()
    try dropPrivileges()
    let landlock = try Landlock.restrict()
    try SystemCallFilter.load()
    return Outcome(landlock: landlock, limits: limits)
  }

  /// A signal to everything on the terminal, or to everything that a service started, is the
  /// command's to answer: it tells its workers. A limit on a file's size is an error of the write.
  private static func ignoreSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }

  /// Time zone and the tables for dates and JSON are opened when they are first asked for.
  private static func touchWhatOpensFiles() {
    tzset()
    _ = Date(timeIntervalSince1970: 0).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt))
    let reply = WorkerReply.probed(MediaInfo(container: "mov", fileSize: 1, duration: 1.5))
    if let bytes = try? WireCoding.encode(reply) {
      _ = try? WireCoding.decode(WorkerReply.self, from: bytes)
    }
  }

  /// Landlock binds the thread that calls, and the threads it makes: there must be no other.
  private static func refuseIfThreaded() throws(LockdownError) {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    guard threads.count <= 1 else {
      throw LockdownError("\(threads.count) threads run already; a worker locks itself with one")
    }
  }

  private static func dropPrivileges() throws(LockdownError) {
    guard holdfast_no_new_privileges() == 0 else {
      throw LockdownError("give up new privileges", errno: errno)
    }
    guard holdfast_not_dumpable() == 0, holdfast_set_limit(holdfast_limit_core, 0, 0) == 0 else {
      throw LockdownError("switch core dumps off", errno: errno)
    }
  }
}
