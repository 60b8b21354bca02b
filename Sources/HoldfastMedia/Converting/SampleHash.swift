import CFFmpeg
import HoldfastModel

/// A hash of sound samples, before a lossless encoder or after decoding the file.
final class SampleHash {
  private let hash: OpaquePointer

  init() throws(HoldfastError) {
    hash = try check(av_murmur3_alloc(), "compare the sound")
    av_murmur3_init(hash)
  }

  deinit { av_free(UnsafeMutableRawPointer(hash)) }

  /// Adds the samples of a frame of planar sound. The hash depends on the length of the frames,
  /// which are the same in a lossless file as when it was encoded.
  func add(_ frame: UnsafeMutablePointer<AVFrame>) {
    let format = AVSampleFormat(rawValue: frame.pointee.format)
    let bytes = Int(frame.pointee.nb_samples) * Int(av_get_bytes_per_sample(format))
    for channel in 0..<Int(frame.pointee.ch_layout.nb_channels) {
      guard let plane = frame.pointee.extended_data[channel] else { continue }
      av_murmur3_update(hash, plane, bytes)
    }
  }

  /// The hash of everything so far, in hexadecimal digits. Nothing may be added afterwards.
  lazy var description: String = {
    var digest = [UInt8](repeating: 0, count: 16)
    av_murmur3_final(hash, &digest)
    return digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }()
}
