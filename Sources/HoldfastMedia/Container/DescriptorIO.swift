import CFFmpeg
import Glibc
import HoldfastModel

/// FFmpeg's reading and writing through a lent descriptor. FFmpeg can open nothing else through it.
final class DescriptorIO {
  let file: UnsafeMutablePointer<CFFDescriptor>
  private let isWritable: Bool
  private(set) var context: UnsafeMutablePointer<AVIOContext>?
  // Kept alive for the C side, which reads it.
  private let call: RunningCall

  init(
    _ media: OpenMedia, isWritable: Bool, call: RunningCall
  ) throws(HoldfastError) {
    self.call = call
    self.isWritable = isWritable
    file = .allocate(capacity: 1)
    file.initialize(
      to: CFFDescriptor(
        descriptor: media.descriptor, position: 0, furthest: 0, call: call.state, skimmed: 0,
        error: 0))
    context = cff_io_new(file, isWritable)
    guard context != nil else {
      throw HoldfastError(.library, "not enough memory to open the file")
    }
  }

  deinit {
    cff_io_free(&context)
    file.deallocate()
  }

  /// From now on, reads of a file of `fileSize` bytes give zeros.
  func skim(fileSize: Int64) { cff_io_skim(context, fileSize) }

  /// The error of the first system call that failed; `nil` if none did. It explains a failure
  /// better than FFmpeg's code does.
  var systemError: HoldfastError? {
    guard file.pointee.error != 0 else { return nil }
    return HoldfastError(
      systemError: file.pointee.error, as: isWritable ? .outputRefused : .inputRefused,
      operation: isWritable ? "write" : "read")
  }
}

/// Returns the size in bytes of a file that can be read as media: a regular file that is not empty.
func regularFileSize(_ media: OpenMedia) throws(HoldfastError) -> Int64 {
  var status = stat()
  guard fstat(media.descriptor, &status) == 0 else {
    throw HoldfastError(systemError: errno, as: .inputRefused, operation: "read")
  }
  switch status.st_mode & S_IFMT {
  case S_IFREG: break
  case S_IFDIR: throw HoldfastError(.notAFile, "is a folder, not a recording")
  case S_IFIFO: throw HoldfastError(.notAFile, "is a pipe, not a recording; give a file")
  default: throw HoldfastError(.notAFile, "is a device or socket, not a recording; give a file")
  }
  guard status.st_size > 0 else { throw HoldfastError(.empty, "is empty (0 bytes)") }
  return Int64(status.st_size)
}
