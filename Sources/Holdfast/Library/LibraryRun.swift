import HoldfastModel

/// Work on a library that has begun, as the sequence of its events.
///
/// The work goes on, whether or not its events are read, until it is done, it is cancelled, or the
/// last reference to its `LibraryRun` is gone.
///
/// Reading an event throws `HoldfastError` for a failure that ended all the work, and
/// `CancellationError` if a cancelled run has no event that says so.
public final class LibraryRun<Event: Sendable>: AsyncSequence, Sendable {
  private let events: AsyncThrowingStream<Event, any Error>
  private let task: Task<Void, Never>

  /// - Parameter work: Does the work, and reports each event, from any thread.
  init(
    _ work: @escaping @Sendable (_ report: @escaping @Sendable (Event) -> Void) async throws -> Void
  ) {
    let (events, continuation) = AsyncThrowingStream.makeStream(of: Event.self)
    self.events = events
    let task = Task {
      do {
        try await work { continuation.yield($0) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: (error as? RuleError).map { HoldfastError($0) } ?? error)
      }
    }
    self.task = task
    continuation.onTermination = { _ in task.cancel() }
  }

  /// Stops the work. Work in progress is finished or undone. Read the remaining events to learn
  /// which.
  public func cancel() { task.cancel() }

  /// Waits until the work has ended, whatever its result.
  public func end() async { await task.value }

  /// Returns an iterator over the events.
  public func makeAsyncIterator() -> AsyncThrowingStream<Event, any Error>.Iterator {
    events.makeAsyncIterator()
  }
}
