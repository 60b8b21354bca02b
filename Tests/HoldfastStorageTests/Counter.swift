import Synchronization

/// A number that tasks count together.
final class Counter: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  /// Counts on, and returns the new number.
  @discardableResult
  func add(_ step: Int) -> Int {
    number.add(step, ordering: .sequentiallyConsistent).newValue
  }
}
