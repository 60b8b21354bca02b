internal import HoldfastModel
internal import HoldfastWire

/// How long the jobs of a pool may take.
struct JobTimeouts {
  /// How long a job may go without any progress, in seconds.
  let stall: Double
  /// How long a job may take as a whole, in seconds; `nil` for what its recording's length asks for.
  let job: Double?

  /// A job may take so many times as long as its recording lasts,
  private static let timesLength = 10.0
  /// and so many seconds more.
  private static let spare = 300.0
  /// Where the length is not known, a file counts as lasting as long as one with so many bytes a second:
  /// fewer than any video has.
  private static let slowestRate = 100_000.0

  /// How long a job may take.
  ///
  /// - Parameters:
  ///   - request: The job.
  ///   - sourceSize: The size of its source, in bytes.
  func patience(for request: WorkerRequest, sourceSize: Int64) -> WorkerPatience {
    let length =
      switch request {
      case .convert(let plan, _, _): plan.duration
      case .check(let report, _, _): report.plan.duration
      case .probe, .thumbnail, .measureSound, .waveform, .describe:
        Double(sourceSize) / Self.slowestRate
      }
    return WorkerPatience(stall: stall, job: job ?? length * Self.timesLength + Self.spare)
  }
}

extension WorkerRequest {
  /// What every answer may take, in bytes: a report is a hundredth of it.
  private static let reportBytes = 1 << 19

  /// How long the answer may be, in bytes. Only the times of a long video's pictures take more than a
  /// report, and no more than the video itself.
  func mostBytes(sourceSize: Int64) -> Int {
    guard case .probe = self else { return Self.reportBytes }
    return min(Self.reportBytes + Int(clamping: max(sourceSize, 0)), FrameChannel.mostBytes)
  }
}
