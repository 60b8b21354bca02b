internal import Glibc

/// An open descriptor with one owner, closed with it.
package final class OwnDescriptor: Sendable {
  /// The descriptor's number.
  package let number: CInt

  /// Takes `number` over.
  package init(owning number: CInt) { self.number = number }

  /// Makes a descriptor of its own for a file that is only lent: work that was given up may go on
  /// for a moment, and must not find another file under the number.
  ///
  /// - Throws: ``MediaError`` when the system has none to give.
  package init(duplicating media: OpenMedia) throws(MediaError) {
    number = fcntl(media.descriptor, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else {
      let code = errno
      throw MediaError(
        .inputRefused, "could not open: \(unsafe String(cString: strerror(code)))",
        operation: "open", errno: code)
    }
  }

  deinit { close(number) }
}
