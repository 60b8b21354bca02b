import Foundation

/// The number of files that a run works on at a time.
public enum JobCount {
  /// The allowed numbers of jobs. Each job has its own process, which needs memory and descriptors.
  public static let range = 1...256

  /// The default: the number of active processor cores, limited to ``range``.
  public static var usual: Int { clamped(ProcessInfo.processInfo.activeProcessorCount) }

  /// Returns the number in ``range`` that is nearest to `jobs`.
  static func clamped(_ jobs: Int) -> Int { min(max(jobs, range.lowerBound), range.upperBound) }
}
