import CLinux
import Foundation
import Glibc
import HoldfastModel
import HoldfastSupport
import HoldfastWire

/// The limits on a worker's use of the machine.
///
/// They last as long as the worker, because the hard limits equal the soft ones. Processor time is
/// not limited: the pool ends a job that makes no progress.
struct WorkerLimits {
  /// The address space, in bytes.
  private let memory: UInt64
  /// The largest file that the worker can make by writing, in bytes.
  private let fileSize: UInt64

  private static let gibibyte: UInt64 = 1 << 30
  /// The memory that every worker gets besides that for its pictures, in bytes.
  private static let least = gibibyte
  /// The most memory that a worker gets beyond what it has at rest, in bytes.
  private static let most = 6 * gibibyte
  /// The bytes for each pixel of each picture in flight: 12 bits deep, 4:4:4, with what a decoder
  /// and the filters keep beside it.
  private static let bytesPerPixel: UInt64 = 48
  /// The pictures that libx264 looks ahead with preset medium (`rc-lookahead`), and those that it
  /// refers to.
  private static let picturesAhead: UInt64 = 40 + 16
  /// The bytes for each pixel of each of those pictures: 4:2:0, with a half-size copy and its
  /// search tables.
  private static let bytesPerPixelAhead: UInt64 = 3
  /// The bytes that libx265 takes for each pixel with preset superfast and two pictures at a time.
  /// For pictures of 4096 × 2304, 214 were measured, including those of the decoder.
  private static let bytesPerPixelOfHEVC: UInt64 = 240
  /// The stack, in bytes, for one thread each of decoding, filtering and encoding: 8 MiB per
  /// thread.
  private static let bytesPerThread: UInt64 = 3 * 8 << 20
  /// The most threads each for decoding, filtering and encoding. FFmpeg's decoders use no more by
  /// default, and nothing else is given more.
  private static let mostThreads: UInt64 = 16
  /// The bytes allowed for each second of encoded pictures, which hardly reach a tenth of it.
  private static let pictureRate = 64.0 * 1_048_576
  /// The bytes allowed for each second of encoded sound, which takes a fiftieth of it.
  private static let soundRate = 1.0 * 1_048_576
  /// The bytes allowed for each second of ALAC. Two channels of 24 bits at 384 kHz take 2.3
  /// million.
  private static let losslessSoundRate = 4.0 * 1_048_576
  /// The bytes allowed for everything in a file besides its streams. The index of 120 s takes a
  /// hundredth of it.
  private static let container: UInt64 = 64 << 20

  /// Calculates the limits for a worker's first job. Later jobs get no more. `memoryAtRest` is the
  /// address space that the process uses before any job, in bytes.
  init(_ order: WorkerOrder, source: OwnDescriptor?, memoryAtRest: UInt64) {
    let processors = UInt64(max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 1))
    let threads = min(processors, Self.mostThreads)
    let pixels = UInt64(min(max(order.pixels, 0), 1 << 30))
    var bytes =
      Self.least + threads * Self.bytesPerThread + pixels * threads * Self.bytesPerPixel
    switch order.request {
    case .job(.convert(let plan, _, _)):
      let h264 = Self.picturesAhead * Self.bytesPerPixelAhead
      bytes += pixels * (plan.video?.codec == .hevc ? max(h264, Self.bytesPerPixelOfHEVC) : h264)
      fileSize = Self.outputBytes(of: plan, source: source)
    case .job(.check): fileSize = 0
    // Pictures are written into memory, and the source is not writable.
    case .job(.decodeSound): fileSize = UInt64(DecodedSound.mostBytes)
    case .job(.photo): fileSize = UInt64(PhotoLimit.mostBytes)
    case .job(.probe), .job(.thumbnail), .job(.measureSound), .job(.waveform), .describe:
      fileSize = UInt64(ThumbnailJob.mostBytes)
    }
    memory = memoryAtRest + min(bytes, Self.most)
  }

  /// Sets the limits permanently. Lower limits that this process inherited stay in force.
  func set() throws(LockdownError) {
    let limits = [
      (holdfast_limit_address_space, memory, "limit the memory"),
      (holdfast_limit_file_size, fileSize, "limit the size of files"),
    ]
    for (resource, limit, operation) in limits {
      let limit = min(limit, holdfast_hard_limit(resource))
      try LockdownError.check(holdfast_set_limit(resource, limit, limit), operation)
    }
  }

  /// Returns the address space that this process uses, in bytes.
  static func memoryInUse() throws(LockdownError) -> UInt64 {
    let figures = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    guard let pages = figures?.split(separator: " ").first.flatMap({ UInt64($0) }) else {
      throw LockdownError("could not read how much memory this process has")
    }
    return pages * UInt64(sysconf(CInt(_SC_PAGESIZE)))
  }

  /// Returns the largest size of a conversion's output, in bytes. Copied streams are at most as
  /// large as the source. Encoded streams last as long as the plan says.
  private static func outputBytes(of plan: ConversionPlan, source: OwnDescriptor?) -> UInt64 {
    var bytes = container
    if plan.copiesAny { bytes += UInt64(max(source?.size ?? 0, 0)) }
    let seconds = min(max(plan.duration, 1), RecordingLimit.longest)
    let soundRate = plan.audio?.soundCodec == .alac ? losslessSoundRate : soundRate
    for (stream, rate) in [(plan.video, pictureRate), (plan.audio, soundRate)]
    where stream?.isCopied == false {
      bytes += UInt64(seconds * rate)
    }
    return bytes
  }
}
