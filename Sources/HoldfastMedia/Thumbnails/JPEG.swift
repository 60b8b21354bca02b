import CFFmpeg
import CJPEG
import Glibc
import HoldfastModel

/// A compressed picture in memory.
struct JPEG: ~Copyable {
  private let bytes: UnsafeMutablePointer<UInt8>
  let count: Int

  /// The largest file that is written in one scan, in bytes. Such a file shows at once, and takes
  /// the least work to decode. Larger files have several scans: a browser shows the whole picture
  /// roughly when a tenth has arrived, and the file is some percent smaller.
  private static let largestBaseline = 32 << 10

  /// Compresses a frame of full-range 4:2:0, without any metadata.
  init(_ frame: UnsafeMutablePointer<AVFrame>, quality: Int) throws(HoldfastError) {
    let baseline = try Self.compress(frame, quality: quality, isProgressive: false)
    guard baseline.count > Self.largestBaseline else {
      (bytes, count) = baseline
      return
    }
    let progressive: (bytes: UnsafeMutablePointer<UInt8>, count: Int)
    do throws(HoldfastError) {
      progressive = try Self.compress(frame, quality: quality, isProgressive: true)
    } catch {
      free(baseline.bytes)
      throw error
    }
    // If several scans bring the file below the limit, the one in a single scan is kept. So a
    // progressive file is always a large one.
    let isLarge = progressive.count > Self.largestBaseline
    free(isLarge ? baseline.bytes : progressive.bytes)
    (bytes, count) = isLarge ? progressive : baseline
  }

  private static func compress(
    _ frame: UnsafeMutablePointer<AVFrame>, quality: Int, isProgressive: Bool
  ) throws(HoldfastError) -> (bytes: UnsafeMutablePointer<UInt8>, count: Int) {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    var message = [CChar](repeating: 0, count: 200)
    let data = frame.pointee.data
    let planes = [UnsafePointer(data.0), UnsafePointer(data.1), UnsafePointer(data.2)]
    let strides = [
      frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2,
    ]
    let result = cjpeg_compress_yuv420(
      planes, strides, frame.pointee.width, frame.pointee.height, CInt(quality), isProgressive,
      &bytes, &count, &message)
    guard result == 0, let bytes else {
      throw HoldfastError(
        .library, "libjpeg could not compress its thumbnail",
        detail: String(
          decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    return (bytes, count)
  }

  func write(to output: OpenMedia) throws(HoldfastError) {
    try output.write(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  deinit { free(bytes) }
}

extension OpenMedia {
  /// Writes `bytes` at the beginning of an empty file.
  func write(_ bytes: UnsafeRawBufferPointer) throws(HoldfastError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(done))
      if written < 0, errno == EINTR { continue }
      guard written >= 0 else {
        throw HoldfastError(systemError: errno, as: .outputRefused, operation: "write")
      }
      done += written
    }
  }
}
