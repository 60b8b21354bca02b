internal import CLinux
internal import Foundation
internal import Glibc
internal import HoldfastModel

/// What one job may take of the machine.
///
/// There is no limit on processor time: a job that gets nowhere is ended by whoever asked for it.
struct JobLimits: Sendable {
  /// Address space that the process has taken before any job, in bytes.
  private let atRest: UInt64
  /// The most that can be set, in bytes.
  private let ceiling: UInt64
  /// How many threads decode pictures: as many as there are processors.
  private let threads: UInt64

  private static let gibibyte: UInt64 = 1 << 30
  /// What a header may take, in bytes: the index of an hour of slow motion takes a tenth of it.
  private static let header = gibibyte * 2 / 5
  /// What every job may take, in bytes.
  private static let least = gibibyte
  /// What no job exceeds, in bytes.
  private static let most = 6 * gibibyte
  /// For each pixel of each picture in flight, in bytes: 12 bits deep, 4:4:4, and what a decoder and
  /// the filters keep beside it.
  private static let bytesPerPixel: UInt64 = 48
  /// Pictures that libx264 looks ahead with preset medium (`rc-lookahead`), and those it refers to.
  private static let picturesAhead: UInt64 = 40 + 16
  /// For each pixel of each of those, in bytes: 4:2:0 with a half-size copy and its search tables.
  private static let bytesPerPixelAhead: UInt64 = 3
  /// Decoding, filtering and encoding have so many threads each, with 8 MiB of stack.
  private static let bytesPerThread: UInt64 = 3 * 8 << 20
  /// FFmpeg's decoders use no more threads by themselves, and nothing else is given more.
  private static let mostThreads: UInt64 = 16
  /// Bytes a second of the cap: an encode hardly reaches a tenth of it.
  private static let outputRate: Int64 = 64 << 20
  /// A thumbnail's size, in bytes.
  private static let thumbnail: UInt64 = 64 << 20

  /// Reads what the process has taken. What is set here first is what can be set later at most.
  init() throws(LockdownError) {
    let figures = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    guard let pages = figures?.split(separator: " ").first.flatMap({ UInt64($0) }) else {
      throw LockdownError("could not read how much memory this process has")
    }
    atRest = pages * UInt64(sysconf(CInt(_SC_PAGESIZE)))
    threads = min(UInt64(max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 1)), Self.mostThreads)
    ceiling = min(atRest + Self.most, holdfast_hard_limit(holdfast_limit_address_space))
    guard holdfast_set_limit(holdfast_limit_address_space, ceiling, ceiling) == 0 else {
      throw LockdownError("limit the memory", errno: errno)
    }
  }

  /// Sets what a job may write, and the memory that it has until its file's header is read.
  ///
  /// - Parameter outputBytes: How large the output may become; 0 for a job that writes nothing.
  func begin(outputBytes: UInt64) {
    let most = holdfast_hard_limit(holdfast_limit_file_size)
    _ = holdfast_set_limit(holdfast_limit_file_size, min(outputBytes, most), most)
    allow(Self.header)
  }

  /// Gives a job the memory that pictures of so many pixels take to decode, filter and encode.
  func allow(pixels: Int) {
    let pixels = UInt64(max(pixels, 0))
    allow(
      Self.least + threads * Self.bytesPerThread + pixels * threads * Self.bytesPerPixel
        + pixels * Self.picturesAhead * Self.bytesPerPixelAhead)
  }

  private func allow(_ bytes: UInt64) {
    let limit = min(atRest + bytes, ceiling)
    _ = holdfast_set_limit(holdfast_limit_address_space, limit, ceiling)
  }

  /// How large a conversion's output may become: as large as its source, which a copy is, and as an
  /// encode may be within the cap.
  static func outputBytes(of source: CInt) -> UInt64 {
    var status = stat()
    let size = fstat(source, &status) == 0 ? Int64(status.st_size) : 0
    return UInt64(max(size, 0)) + UInt64(RecordingLimit.longest * Double(outputRate))
  }

  /// How large a thumbnail may become.
  static var thumbnailBytes: UInt64 { thumbnail }
}
