internal import Synchronization

/// Ends the server when nobody has used it for a while.
final class IdleWatch: Sendable {
  private let limit: Duration?
  private let last = Mutex(ContinuousClock.now)

  /// - Parameter seconds: How long to wait; `nil` for ever.
  init(after seconds: Double?) { limit = seconds.map { .seconds($0) } }

  /// Notes that somebody uses the server.
  func touch() { last.withLock { $0 = .now } }

  /// Runs `body` until it ends, or nobody has used the server for too long.
  func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
    guard let limit else { return try await body() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(operation: body)
      group.addTask {
        while true {
          let end = self.last.withLock { $0 } + limit
          if end <= .now { return }
          try await Task.sleep(until: end)
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }
}
