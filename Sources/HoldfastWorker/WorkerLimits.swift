internal import CLinux
internal import Foundation
internal import Glibc
internal import HoldfastModel
internal import HoldfastSupport
internal import HoldfastWire

/// What a worker may take of the machine, for as long as it lives: hard limits equal the soft ones.
///
/// There is no limit on processor time: a job that gets nowhere is ended by whoever asked for it.
struct WorkerLimits {
  /// Address space, in bytes.
  private let memory: UInt64
  /// How large a file can become by the worker's writing, in bytes.
  private let fileSize: UInt64

  private static let gibibyte: UInt64 = 1 << 30
  /// What every worker may take beside its pictures, in bytes.
  private static let least = gibibyte
  /// What no worker exceeds, in bytes.
  private static let most = 6 * gibibyte
  /// For each pixel of each picture in flight, in bytes: 12 bits deep, 4:4:4, and what a decoder and
  /// the filters keep beside it.
  private static let bytesPerPixel: UInt64 = 48
  /// Pictures that libx264 looks ahead with preset medium (`rc-lookahead`), and those it refers to.
  private static let picturesAhead: UInt64 = 40 + 16
  /// For each pixel of each of those, in bytes: 4:2:0 with a half-size copy and its search tables.
  private static let bytesPerPixelAhead: UInt64 = 3
  /// What libx265 takes for each pixel with preset superfast and two pictures at a time, in bytes: measured
  /// 214 with pictures of 4096 × 2304, the decoder's included.
  private static let bytesPerPixelOfHEVC: UInt64 = 240
  /// Decoding, filtering and encoding have so many threads each, with 8 MiB of stack.
  private static let bytesPerThread: UInt64 = 3 * 8 << 20
  /// FFmpeg's decoders use no more threads by themselves, and nothing else is given more.
  private static let mostThreads: UInt64 = 16
  /// Bytes a second that encoded pictures may take: they hardly reach a tenth of it.
  private static let pictureRate = 64.0 * 1_048_576
  /// Bytes a second that encoded sound may take: it takes a fiftieth of it.
  private static let soundRate = 1.0 * 1_048_576
  /// Bytes a second that ALAC may take: two channels of 24 bits at 384 kHz take 2.3 million.
  private static let losslessSoundRate = 4.0 * 1_048_576
  /// What a file has beside its streams, in bytes: the index of 120 s takes a hundredth of it.
  private static let container: UInt64 = 64 << 20

  /// Works out what a worker may take for its first job; those that share it get no more.
  ///
  /// - Parameters:
  ///   - order: The job, and how large its pictures may be.
  ///   - source: The source of a job that has one.
  ///   - memoryAtRest: Address space that the process has taken before any job, in bytes.
  init(_ order: WorkerOrder, source: OwnDescriptor?, memoryAtRest: UInt64) {
    let processors = UInt64(max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 1))
    let threads = min(processors, Self.mostThreads)
    let pixels = UInt64(min(max(order.pixels, 0), 1 << 30))
    var bytes =
      Self.least + threads * Self.bytesPerThread + pixels * threads * Self.bytesPerPixel
    switch order.request {
    case .convert(let plan, _, _):
      let h264 = Self.picturesAhead * Self.bytesPerPixelAhead
      bytes += pixels * (plan.video?.codec == .hevc ? max(h264, Self.bytesPerPixelOfHEVC) : h264)
      fileSize = Self.outputBytes(of: plan, source: source)
    case .check: fileSize = 0
    // Pictures are written into memory, and the source cannot be written to.
    case .probe, .thumbnail, .measureSound, .waveform, .describe:
      fileSize = UInt64(ThumbnailJob.mostBytes)
    }
    memory = memoryAtRest + min(bytes, Self.most)
  }

  /// Sets the limits, for ever. Whoever started the program may have set lower ones, and these stay.
  func set() throws(LockdownError) {
    let limits = [
      (holdfast_limit_address_space, memory, "limit the memory"),
      (holdfast_limit_file_size, fileSize, "limit the size of files"),
    ]
    for (resource, limit, operation) in limits {
      let limit = min(limit, holdfast_hard_limit(resource))
      guard holdfast_set_limit(resource, limit, limit) == 0 else {
        throw LockdownError(operation, errno: errno)
      }
    }
  }

  /// Address space that this process has taken, in bytes.
  static func memoryInUse() throws(LockdownError) -> UInt64 {
    let figures = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    guard let pages = figures?.split(separator: " ").first.flatMap({ UInt64($0) }) else {
      throw LockdownError("could not read how much memory this process has")
    }
    return pages * UInt64(sysconf(CInt(_SC_PAGESIZE)))
  }

  /// How large a conversion's output may become: what is copied is in the source, and what is encoded
  /// lasts as long as the plan says.
  private static func outputBytes(of plan: ConversionPlan, source: OwnDescriptor?) -> UInt64 {
    var bytes = container
    if plan.copiesAny {
      var status = stat()
      let size = source.map { fstat($0.number, &status) } == 0 ? Int64(status.st_size) : 0
      bytes += UInt64(max(size, 0))
    }
    let seconds = min(max(plan.duration, 1), RecordingLimit.longest)
    let soundRate = plan.audio?.soundCodec == .alac ? losslessSoundRate : soundRate
    for (stream, rate) in [(plan.video, pictureRate), (plan.audio, soundRate)]
    where stream?.isCopied == false {
      bytes += UInt64(seconds * rate)
    }
    return bytes
  }
}
