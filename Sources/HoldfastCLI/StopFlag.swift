internal import Synchronization

/// Whether a person asked the command to stop.
final class StopFlag: Sendable {
  private let value = Atomic(false)

  func set() { value.store(true, ordering: .relaxed) }

  var isSet: Bool { value.load(ordering: .relaxed) }
}
