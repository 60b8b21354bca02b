import CLinux
import Glibc
package import HoldfastModel
package import HoldfastSupport

/// A file in memory that a worker writes and the pool reads.
package final class MemoryFile: Sendable {
  private let file: OwnDescriptor
  private let name: String

  /// Makes an empty file. Its `name` is shown only in `/proc`. The corresponding C function is
  /// `memfd_create`.
  package init(named name: String) throws(HoldfastError) {
    let number = holdfast_memory_file(name)
    guard number >= 0 else {
      throw HoldfastError(systemError: errno, as: .outputRefused, operation: "write")
    }
    file = OwnDescriptor(owning: number)
    self.name = name
  }

  package var media: OpenMedia { OpenMedia(descriptor: file.number, name: name) }

  /// Copies the first `count` bytes to the start of another file. A worker may go on writing to
  /// this file. Only the copied bytes count.
  ///
  /// - Throws: `HoldfastError` with code `worker` if the file is shorter, or with `outputRefused`
  ///   if the bytes cannot be written.
  package func copy(_ count: Int, to output: OwnDescriptor) throws(HoldfastError) {
    var buffer = [UInt8](repeating: 0, count: min(max(count, 0), 1 << 20))
    var offset = 0
    while offset < count {
      let size = pread(file.number, &buffer, min(buffer.count, count - offset), off_t(offset))
      guard size > 0 else { throw .senselessAnswer }
      try Self.write(buffer[..<size], to: output, at: offset)
      offset += size
    }
  }

  private static func write(
    _ bytes: ArraySlice<UInt8>, to output: OwnDescriptor, at offset: Int
  ) throws(HoldfastError) {
    var rest = bytes
    while !rest.isEmpty {
      let size = rest.withUnsafeBytes {
        pwrite(output.number, $0.baseAddress, $0.count, off_t(offset + bytes.count - rest.count))
      }
      if size < 0, errno == EINTR { continue }
      guard size > 0 else {
        throw HoldfastError(systemError: errno, as: .outputRefused, operation: "write")
      }
      rest = rest.dropFirst(size)
    }
  }
}
