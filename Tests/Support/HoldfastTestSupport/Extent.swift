import Foundation
public import Testing

/// How much the tests try: a sample, or everything (`$HOLDFAST_TESTS` is `all`, as `scripts/test --all` sets it).
public enum Extent {
  private static let environment = ProcessInfo.processInfo.environment

  /// Whether the tests try everything.
  public static let isWhole = environment["HOLDFAST_TESTS"] == "all"

  /// What random choices begin with: `$HOLDFAST_SEED`, else 1.
  public static let seed: UInt64 = {
    guard let text = environment["HOLDFAST_SEED"] else { return 1 }
    guard let seed = UInt64(text) else { preconditionFailure("$HOLDFAST_SEED: no number") }
    return seed
  }()

  /// Every `step`th of the cases, and no more than two: the same ones with each seed; all of them in a whole
  /// run.
  public static func sample<Case>(_ cases: [Case], every step: Int) -> [Case] {
    guard !isWhole, !cases.isEmpty else { return cases }
    let step = max(step, (cases.count + 1) / 2)
    let first = Int(seed % UInt64(min(step, cases.count)))
    return stride(from: first, to: cases.count, by: step).map { cases[$0] }
  }

  /// One of two figures.
  public static func choose<Value>(sample: Value, whole: Value) -> Value {
    isWhole ? whole : sample
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs the test only where everything is tried.
  public static var wholeRunOnly: Self {
    .enabled(if: Extent.isWhole, "only scripts/test --all has the time")
  }
}
