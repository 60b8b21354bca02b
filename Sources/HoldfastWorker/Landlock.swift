import CLinux
import Glibc

/// The kernel's Landlock, with which a process gives up rights for itself and for every process and
/// thread that it makes.
///
/// - SeeAlso: `Documentation/userspace-api/landlock.rst` in Linux.
enum Landlock {
  static var version: Int? {
    let version = Int(holdfast_landlock_version())
    return version > 0 ? version : nil
  }

  /// Gives up every right that the kernel's version knows, up to version 6: rights to files, TCP
  /// ports, abstract sockets, and signals to other processes. Returns the version; `nil` if the
  /// kernel has no Landlock, which is not an error.
  static func restrict() throws(LockdownError) -> Int? {
    guard let version else { return nil }
    try restrict(in: version) { _ throws(LockdownError) in }
    return version
  }

  /// Gives up every right except for those that `allow` adds to the ruleset.
  static func restrict(
    in version: Int, allowing allow: (_ ruleset: CInt) throws(LockdownError) -> Void
  ) throws(LockdownError) {
    var rights = holdfast_landlock_rights()
    var size = MemoryLayout<UInt64>.size
    rights.files = fileRights(in: version)
    if version >= 4 {
      rights.network = 0b11
      size *= 2
    }
    if version >= versionWithSignals {
      rights.scopes = 0b11
      size = MemoryLayout<holdfast_landlock_rights>.size
    }
    let rules = holdfast_landlock_ruleset(&rights, size)
    guard rules >= 0 else { throw LockdownError("make a Landlock ruleset", errno: errno) }
    defer { close(rules) }
    try allow(rules)
    try LockdownError.check(holdfast_landlock_restrict(rules), "give up rights with Landlock")
  }

  /// The version from which on signals can be kept from other processes.
  static let versionWithSignals = 6

  /// Returns one bit for each right: 13 in the first version, and those that were added later.
  static func fileRights(in version: Int) -> UInt64 {
    let count =
      switch version {
      case 1: 13
      case 2: 14  // moving files between folders
      case 3, 4: 15  // truncating
      default: 16  // requests to devices
      }
    return 1 << count - 1
  }
}
