import Glibc
package import HoldfastModel

/// An open descriptor with one owner. It is closed when this object is released.
package final class OwnDescriptor: Sendable {
  package let number: CInt

  package init(owning number: CInt) { self.number = number }

  /// Makes a new descriptor for a lent file. Abandoned work may go on for a moment, and must not
  /// find another file under the same number.
  package convenience init(duplicating media: OpenMedia) throws(HoldfastError) {
    try self.init(opened: fcntl(media.descriptor, F_DUPFD_CLOEXEC, 0))
  }

  /// Makes a descriptor that can read a lent file but not write to it, however the file was opened.
  package convenience init(reading media: OpenMedia) throws(HoldfastError) {
    let mode = fcntl(media.descriptor, F_GETFL)
    if mode >= 0, mode & O_ACCMODE != O_RDONLY {
      try self.init(
        opened: unsafe open("/proc/self/fd/\(media.descriptor)", O_RDONLY | O_CLOEXEC))
    } else {
      try self.init(duplicating: media)
    }
  }

  private convenience init(opened number: CInt) throws(HoldfastError) {
    guard number >= 0 else {
      throw HoldfastError(systemError: errno, as: .inputRefused, operation: "open")
    }
    self.init(owning: number)
  }

  /// The size of the file in bytes; 0 if the system does not say.
  package var size: Int64 {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? Int64(status.st_size) : 0
  }

  deinit { close(number) }
}
