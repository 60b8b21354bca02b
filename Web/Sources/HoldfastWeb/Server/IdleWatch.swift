import Synchronization

/// Waits until the server was idle for a while.
final class IdleWatch: Sendable {
  private struct State {
    var last = ContinuousClock.now
    /// How many requests are open.
    var open = 0
  }

  private let limit: Duration?
  private let isBusy: @Sendable () -> Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - seconds: How long the server may be idle; `nil` for ever.
  ///   - isBusy: Returns whether work continues without an open request.
  init(after seconds: Double?, while isBusy: @escaping @Sendable () -> Bool) {
    limit = seconds.map { .seconds($0) }
    self.isBusy = isBusy
  }

  /// Notes that a request has begun, or that its answer is being sent.
  func begin() { state.withLock { $0.open += 1 } }

  /// Notes the end of what ``begin()`` noted.
  func end() {
    state.withLock { state in
      state.open -= 1
      state.last = .now
    }
  }

  /// Waits until the server was idle for so long, or the task is cancelled.
  func wait() async {
    while !Task.isCancelled {
      guard let limit else {
        try? await Task.sleep(for: .seconds(3600))
        continue
      }
      let isInUse = isBusy()
      let end = state.withLock { state in
        if isInUse || state.open > 0 { state.last = .now }
        return state.last + limit
      }
      if end <= .now { return }
      try? await Task.sleep(until: min(end, .now + .seconds(1)))
    }
  }
}
