internal import CFFmpeg
internal import CJPEG
internal import Glibc
internal import HoldfastModel

/// A compressed picture in memory.
struct JPEG: ~Copyable {
  private let bytes: UnsafeMutablePointer<UInt8>
  let count: Int

  /// Compresses a frame of full-range 4:2:0, without any metadata.
  init(_ frame: UnsafeMutablePointer<AVFrame>, quality: Int) throws(MediaError) {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    var message = [CChar](repeating: 0, count: 200)
    let data = frame.pointee.data
    let planes = [UnsafePointer(data.0), UnsafePointer(data.1), UnsafePointer(data.2)]
    let strides = [
      frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2,
    ]
    let result = cjpeg_compress_yuv420(
      planes, strides, frame.pointee.width, frame.pointee.height, CInt(quality), &bytes, &count,
      &message)
    guard result == 0, let bytes else {
      throw MediaError(
        .library, "libjpeg could not compress its thumbnail",
        detail: String(
          decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    self.bytes = bytes
    self.count = count
  }

  func write(to output: OpenMedia) throws(MediaError) {
    var done = 0
    while done < count {
      let written = pwrite(output.descriptor, bytes + done, count - done, off_t(done))
      if written < 0, errno == EINTR { continue }
      guard written >= 0 else {
        throw MediaError(systemError: errno, as: .outputRefused, operation: "write")
      }
      done += written
    }
  }

  deinit { free(bytes) }
}
