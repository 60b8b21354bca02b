internal import Glibc
package import HoldfastModel

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
  package convenience init(duplicating media: OpenMedia) throws(MediaError) {
    try self.init(opened: fcntl(media.descriptor, F_DUPFD_CLOEXEC, 0))
  }

  /// Makes a descriptor by which a lent file can be read and not written to, however it was opened.
  ///
  /// - Throws: ``MediaError`` when the system has none to give.
  package convenience init(reading media: OpenMedia) throws(MediaError) {
    let mode = fcntl(media.descriptor, F_GETFL)
    if mode >= 0, mode & O_ACCMODE != O_RDONLY {
      try self.init(
        opened: unsafe open("/proc/self/fd/\(media.descriptor)", O_RDONLY | O_CLOEXEC))
    } else {
      try self.init(duplicating: media)
    }
  }

  private convenience init(opened number: CInt) throws(MediaError) {
    guard number >= 0 else {
      throw MediaError(systemError: errno, as: .inputRefused, operation: "open")
    }
    self.init(owning: number)
  }

  /// The size of its file in bytes; 0 where the system cannot say.
  package var size: Int64 {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? Int64(status.st_size) : 0
  }

  deinit { close(number) }
}
