import HoldfastModel
import HoldfastWire

struct JobTimeouts {
  /// The longest that a job may go without progress, in seconds.
  let stall: Double
  /// The longest that a job may take as a whole, in seconds; `nil` to calculate it from its
  /// recording's length.
  let job: Double?

  /// The time allowed for a job, as a multiple of its recording's length. ``spare`` is added to it.
  private static let timesLength = 10.0
  /// The seconds allowed for a job in addition to ``timesLength``.
  private static let spare = 300.0
  /// The bytes per second from which a length is estimated if it is not known. Most videos have
  /// more.
  private static let slowestRate = 100_000.0

  /// Returns how many seconds a job may take, if its source has so many bytes.
  func seconds(for request: WorkerRequest, sourceSize: Int64) -> Double {
    let length =
      switch request {
      case .job(.convert(let plan, _, _)): plan.duration
      case .job(.check(let report, _, _)): report.plan.duration
      case .job(.probe), .job(.thumbnail), .job(.measureSound), .job(.decodeSound),
        .job(.photo), .job(.waveform), .describe:
        Double(sourceSize) / Self.slowestRate
      }
    return job ?? length * Self.timesLength + Self.spare
  }
}

extension WorkerRequest {
  /// The longest answer to most requests, in bytes. A report takes a hundredth of it.
  private static let reportBytes = 1 << 19

  /// Returns the longest answer to this request, in bytes.
  ///
  /// Only the times of a long video's pictures take more than a report, and they take no more than
  /// the video itself.
  func mostBytes(sourceSize: Int64) -> Int {
    guard case .job(.probe) = self else { return Self.reportBytes }
    return min(Self.reportBytes + Int(clamping: max(sourceSize, 0)), FrameChannel.mostBytes)
  }
}
