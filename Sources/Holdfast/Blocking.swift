internal import Dispatch

/// Runs work that waits for a disk, a lock or the database on a thread that may wait: Swift's own
/// threads are as many as there are cores, and all of them waiting would stop everything.
func onBlockingThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    blockingThreads.async {
      continuation.resume(with: Result(catching: work))
    }
  }
}

private let blockingThreads = DispatchQueue(label: "holdfast.blocking", attributes: .concurrent)
