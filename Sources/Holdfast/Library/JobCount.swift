internal import Foundation

/// How many files a run works on at a time.
public enum JobCount {
  /// What may be asked for. Each job has a process of its own, which takes memory and descriptors.
  public static let range = 1...256

  /// As many as there are cores.
  public static var usual: Int { clamped(ProcessInfo.processInfo.activeProcessorCount) }

  /// The number in ``range`` that is nearest to `jobs`.
  static func clamped(_ jobs: Int) -> Int { min(max(jobs, range.lowerBound), range.upperBound) }
}
