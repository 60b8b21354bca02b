internal import CLinux
internal import Glibc

/// The kernel's Landlock: rights that a process gives up, for itself and whatever it makes.
///
/// - SeeAlso: `Documentation/userspace-api/landlock.rst` in Linux.
enum Landlock {
  /// The kernel's version of it; `nil` where there is none.
  static var version: Int? {
    let version = Int(holdfast_landlock_version())
    return version > 0 ? version : nil
  }

  /// Gives up every right that the kernel's version knows: not one file, nor TCP port, nor abstract
  /// socket, nor another process's signals.
  ///
  /// - Returns: The version; `nil` where there is no Landlock, which is no error.
  static func restrict() throws(LockdownError) -> Int? {
    guard let version else { return nil }
    var rights = holdfast_landlock_rights()
    var size = MemoryLayout<UInt64>.size
    rights.files = fileRights(in: version)
    if version >= 4 {
      rights.network = 0b11
      size *= 2
    }
    if version >= 6 {
      rights.scopes = 0b11
      size = MemoryLayout<holdfast_landlock_rights>.size
    }
    let rules = holdfast_landlock_ruleset(&rights, size)
    guard rules >= 0 else { throw LockdownError("make a Landlock ruleset", errno: errno) }
    defer { close(rules) }
    guard holdfast_landlock_restrict(rules) == 0 else {
      throw LockdownError("give up rights with Landlock", errno: errno)
    }
    return version
  }

  /// One bit a right: 13 of them in the first version, and what was added later.
  private static func fileRights(in version: Int) -> UInt64 {
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
