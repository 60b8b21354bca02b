import CLinux
import Foundation
import Glibc
import HoldfastModel
import HoldfastSupport
import HoldfastWire

/// Sandboxes a worker.
///
/// The nursery prepares everything once. Each worker then shuts its own doors, before it touches a
/// file.
struct Lockdown {
  private let filter: SystemCallFilter
  private let memoryAtRest: UInt64

  /// Prepares this process for starting workers, and gives up all rights that neither it nor they
  /// need. `prepare` initializes everything that opens files on first use.
  init(preparing prepare: () -> Void) throws(LockdownError) {
    // The parent process may have left descriptors open. Standard input, the socket, stays open.
    holdfast_close_from(3)
    Self.ignoreSignals()
    // The C library opens the time zone's file on first use.
    tzset()
    prepare()
    memoryAtRest = try WorkerLimits.memoryInUse()
    try Self.refuseIfThreaded()
    try Self.dropPrivileges()
    filter = try SystemCallFilter()
  }

  /// Shuts the doors of this worker. Returns the version of Landlock; `nil` if there is none. That
  /// is not an error, because the filter refuses the same calls.
  func shut(for order: WorkerOrder, _ files: [OwnDescriptor]) throws(LockdownError) -> Int? {
    try WorkerLimits(order, source: files.first, memoryAtRest: memoryAtRest).set()
    let landlock = try Landlock.restrict()
    try filter.load()
    return landlock
  }

  /// Ignores signals that the command handles, and signals that should be errors instead.
  ///
  /// The command gets every signal to a terminal's or a service's processes as well, and ends its
  /// workers itself. A write beyond the limit on a file's size should fail with an error.
  private static func ignoreSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }

  /// Refuses to go on if there are other threads. A fork copies only the calling thread.
  private static func refuseIfThreaded() throws(LockdownError) {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    guard threads.count <= 1 else {
      throw LockdownError("\(threads.count) threads run already; workers are started from one")
    }
  }

  private static func dropPrivileges() throws(LockdownError) {
    try LockdownError.check(holdfast_no_new_privileges(), "give up new privileges")
    try LockdownError.check(holdfast_drop_capabilities(), "give up capabilities")
    try LockdownError.check(holdfast_not_dumpable(), "switch core dumps off")
    try LockdownError.check(holdfast_set_limit(holdfast_limit_core, 0, 0), "switch core dumps off")
  }
}
