import Foundation
public import Testing

/// How much the tests try, by `$HOLDFAST_TESTS`, which `scripts/test` sets: a sample; each test
/// with a sample of its cases (`each`); or everything (`all`).
public enum Extent {
  private static let environment = ProcessInfo.processInfo.environment

  /// Whether the tests try everything.
  public static let isWhole = environment["HOLDFAST_TESTS"] == "all"

  /// Whether each test runs, also those of rare media and of long campaigns.
  public static let hasEachTest = isWhole || environment["HOLDFAST_TESTS"] == "each"

  /// The seed of random choices: `$HOLDFAST_SEED`, else 1.
  public static let seed: UInt64 = {
    guard let text = environment["HOLDFAST_SEED"] else { return 1 }
    guard let seed = UInt64(text) else { preconditionFailure("$HOLDFAST_SEED: no number") }
    return seed
  }()

  /// Every `step`th of the cases, and no more than two: the same ones with each seed. All of them,
  /// if everything is tried.
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
  /// Skips the test when a sample is enough.
  public static var notInSample: Self {
    .enabled(if: Extent.hasEachTest, "only scripts/test --each and --all have the time")
  }
}
