import CLinux
import Glibc
import HoldfastModel

/// Locks, and waiting for another process to let go of one.
extension SystemCalls {
  /// Returns a watch that reports when any process, including this one, closes a file; `nil` where
  /// the system has no watches left. The corresponding C functions are `inotify_init1` and
  /// `inotify_add_watch`.
  static func watchClosing(of file: OpenFile) -> OpenFile? {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    let watch = OpenFile(owning: descriptor, path: file.path)
    let events = UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)
    let isWatched = inotify_add_watch(descriptor, "/proc/self/fd/\(file.descriptor)", events) >= 0
    return isWatched ? watch : nil
  }

  /// Waits until a watch reports something, but not longer than this, and consumes the report. The
  /// corresponding C functions are `poll` and `read`.
  static func wait(for watch: OpenFile?, milliseconds: CInt) {
    // `poll` ignores a negative descriptor.
    var entry = pollfd(fd: watch?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0, let watch else { return }
    var events = [UInt8](repeating: 0, count: 4096)
    _ = Glibc.read(watch.descriptor, &events, events.count)
  }

  /// The unit of time in `/proc`, in ticks per second. The corresponding C function is `sysconf`.
  static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))

  static func device(_ major: UInt32, _ minor: UInt32) -> UInt64 { holdfast_device(major, minor) }

  /// Takes the lock if it is free. The corresponding C function is `flock`.
  static func tryLock(_ file: OpenFile, shared: Bool = false) throws(HoldfastError) -> Bool {
    do throws(HoldfastError) {
      _ = try check("lock", file.path) {
        holdfast_flock(file.descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB)
      }
      return true
    } catch let error where error.errno == EWOULDBLOCK {
      return false
    }
  }

  /// Releases the lock at once, even if a forked child still has the descriptor.
  static func unlock(_ file: OpenFile) { _ = holdfast_flock(file.descriptor, LOCK_UN) }
}
