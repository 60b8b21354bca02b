internal import CLinux
internal import Glibc
internal import HoldfastModel
package import HoldfastSupport

/// A process, by a descriptor of it: its number may be another's once it has ended, this never is.
package final class ProcessDescriptor: Sendable {
  private let descriptor: OwnDescriptor

  /// Takes over a descriptor of a process.
  package init(_ descriptor: OwnDescriptor) { self.descriptor = descriptor }

  /// Opens a child of this process that has not been waited for; `nil` when the system has no
  /// descriptor to give.
  ///
  /// The corresponding C function is `pidfd_open`.
  package convenience init?(child: Int32) {
    let number = holdfast_pidfd_open(child)
    guard number >= 0 else { return nil }
    self.init(OwnDescriptor(owning: number))
  }

  /// The descriptor's number, to be sent to somebody else.
  package var number: CInt { descriptor.number }

  /// Ends the process, whatever it does. One that has ended is left alone.
  ///
  /// The corresponding C function is `pidfd_send_signal`.
  package func kill() { _ = holdfast_pidfd_kill(descriptor.number, SIGKILL) }

  /// Waits until the process has ended: all its threads have, and all its files are closed.
  ///
  /// - Parameter seconds: How long it may take.
  /// - Returns: Whether it has.
  package func waitForEnd(within seconds: Double) -> Bool {
    var patience = Patience(seconds)
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
