import CLinux
import Glibc
import HoldfastModel
package import HoldfastSupport

/// A process, held by a descriptor.
///
/// After a process has ended, another one may get its number. The descriptor never refers to
/// another process.
package final class ProcessDescriptor: Sendable {
  private let descriptor: OwnDescriptor

  package init(_ descriptor: OwnDescriptor) { self.descriptor = descriptor }

  /// Opens a child process that has not been waited for; `nil` if the system cannot make another
  /// descriptor. The corresponding C function is `pidfd_open`.
  package convenience init?(child: Int32) {
    let number = holdfast_pidfd_open(child)
    guard number >= 0 else { return nil }
    self.init(OwnDescriptor(owning: number))
  }

  package var number: CInt { descriptor.number }

  /// Kills the process, if it has not ended. The corresponding C function is `pidfd_send_signal`.
  package func kill() { _ = holdfast_pidfd_kill(descriptor.number, SIGKILL) }

  /// Waits until the process has ended, and returns whether it has. By then, all its threads have
  /// ended and all its files are closed.
  package func waitForEnd(within seconds: Double) -> Bool {
    var patience = CountedTimeout(seconds)
    while true {
      let milliseconds = patience.nextWait
      let start = ContinuousClock.now
      var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, milliseconds) > 0 { return true }
      patience.wait(ContinuousClock.now - start, of: milliseconds)
      if patience.isOver { return false }
    }
  }
}
