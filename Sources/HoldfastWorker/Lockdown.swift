internal import CLinux
internal import Foundation
internal import Glibc
internal import HoldfastModel
internal import HoldfastSupport
internal import HoldfastWire

/// What shuts a worker in. The nursery makes everything ready once; each worker shuts its own doors,
/// before it touches a file.
struct Lockdown {
  private let filter: SystemCallFilter
  private let memoryAtRest: UInt64

  /// Makes this process ready for workers, and gives up what neither it nor they need.
  ///
  /// - Parameter prepare: Makes ready whatever opens files when it is first used.
  /// - Throws: ``LockdownError`` when that is not possible.
  init(preparing prepare: () -> Void) throws(LockdownError) {
    // Whatever was left open by whoever started this process: standard input is the socket.
    holdfast_close_from(3)
    Self.ignoreSignals()
    // The time zone's file is opened when it is first asked for.
    tzset()
    prepare()
    memoryAtRest = try WorkerLimits.memoryInUse()
    try Self.refuseIfThreaded()
    try Self.dropPrivileges()
    filter = try SystemCallFilter()
  }

  /// Shuts the doors of the worker that this process is.
  ///
  /// - Parameters:
  ///   - order: The first job, and the memory that it gets.
  ///   - files: The files of that job.
  /// - Returns: The version of Landlock; `nil` where there is none, which is no error: the filter
  ///   refuses the same calls.
  /// - Throws: ``LockdownError`` when a door cannot be shut.
  func shut(for order: WorkerOrder, _ files: [OwnDescriptor]) throws(LockdownError) -> Int? {
    try WorkerLimits(order, source: files.first, memoryAtRest: memoryAtRest).set()
    let landlock = try Landlock.restrict()
    try filter.load()
    return landlock
  }

  /// A signal to everything on the terminal, or to everything that a service started, is the
  /// command's to answer: it ends its workers. A limit on a file's size is an error of the write.
  private static func ignoreSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }

  /// A fork copies the thread that calls, and no other: there must be none.
  private static func refuseIfThreaded() throws(LockdownError) {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    guard threads.count <= 1 else {
      throw LockdownError("\(threads.count) threads run already; workers are started from one")
    }
  }

  private static func dropPrivileges() throws(LockdownError) {
    guard holdfast_no_new_privileges() == 0 else {
      throw LockdownError("give up new privileges", errno: errno)
    }
    guard holdfast_drop_capabilities() == 0 else {
      throw LockdownError("give up capabilities", errno: errno)
    }
    guard holdfast_not_dumpable() == 0, holdfast_set_limit(holdfast_limit_core, 0, 0) == 0 else {
      throw LockdownError("switch core dumps off", errno: errno)
    }
  }
}
