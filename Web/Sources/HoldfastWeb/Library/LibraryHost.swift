import Foundation
package import Holdfast
import NIOPosix
import Synchronization

/// The library of a long-running program.
///
/// Several requests read at the same time, each on its own thread and connection. Changes are made
/// one after the other, on one thread, because they wait for the library's writer lock. The time
/// that a change waits for its turn counts against its time for the lock, so each is answered soon
/// after its own time ends, however many wait. Between requests nothing is locked. If the library's
/// disk was away, or another library is in its place, the next request opens it again.
package final class LibraryHost: Sendable {
  private struct State {
    /// Open libraries that are not in use by a request.
    var readers: [Library] = []
    var writer: Library?
    var hasOpened = false
  }

  /// How many requests read at the same time.
  private static let readers = 4
  /// How long a change waits for other changes and for other programs, in seconds.
  private static let patience = 10.0

  let location: LibraryLocation
  private let journals: [Journal]
  private let engine: any MediaEngine
  private let state = Mutex(State())
  /// The library's identity and path, once it is open for the first time.
  let opened: AsyncStream<(UUID, String)>
  private let opening: AsyncStream<(UUID, String)>.Continuation
  private let reading = NIOThreadPool(numberOfThreads: readers)
  private let writing = NIOThreadPool(numberOfThreads: 1)

  init(at location: LibraryLocation, _ journals: [Journal], engine: any MediaEngine) {
    self.location = location
    self.journals = journals
    self.engine = engine
    (opened, opening) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    reading.start()
    writing.start()
  }

  /// Ends the threads, when all requests are done.
  func close() async throws {
    try await reading.shutdownGracefully()
    try await writing.shutdownGracefully()
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await reading.runIfActive {
      let library = try self.borrow()
      defer { self.state.withLock { $0.readers.append(library) } }
      return try body(library)
    }
  }

  /// - Throws: `HoldfastError` with the code `locked` if other programs write for too long; and any
  ///   error of `body`.
  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    let arrival = ContinuousClock.now
    return try await writing.runIfActive {
      let waited = arrival.duration(to: .now) / .seconds(1)
      return try body(self.openWriter(waiting: max(Self.patience - waited, 0)))
    }
  }

  /// Makes a change that no answer waits for, such as a count. If other programs write at the
  /// moment, it is left out.
  package func writeIfFree(_ body: @escaping @Sendable (Library) throws -> Void) {
    Task {
      try? await writing.runIfActive { try body(self.openWriter(waiting: 0)) }
    }
  }

  /// Runs `body`, which deletes records, and leaves no trace of them in the catalog's file.
  ///
  /// If traces cannot be removed now, they are removed later.
  package func delete(_ body: @escaping @Sendable (Library) throws -> Void) async throws {
    try await write { library in
      try body(library)
      _ = try? library.compactIfSmall()
    }
  }

  /// Whether the library was ever open.
  var hasOpened: Bool { state.withLock { $0.hasOpened } }

  /// Makes the library. One that exists already stays as it is.
  func make(at location: LibraryLocation) async throws {
    try await writing.runIfActive {
      _ = try Library.create(at: location, patience: LockTimeoutPolicy(seconds: Self.patience))
    }
  }

  /// Copies a piece of an upload or of an export, which waits for the disk.
  func copying<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await reading.runIfActive(body)
  }

  /// Returns the library for a long run, such as an import. The run holds the writer lock only for
  /// its short steps.
  func writer() async throws -> Library { try await write { $0.waiting(for: Self.patience) } }

  /// Returns the library for a long run that changes nothing, such as a check.
  func reader() async throws -> Library { try await read { $0 } }

  /// Returns the library for a run whose writes are optional. It is open for reading if its disk is
  /// read-only, or if it has a journal that this program does not know.
  func writerOrReader() async throws -> Library {
    do {
      return try await writer()
    } catch let error as HoldfastError
      where error.code == .unknownJournal || error.isForWantOfWriting
    {
      return try await reader()
    }
  }

  private func borrow() throws -> Library {
    while let library = state.withLock({ $0.readers.popLast() }) {
      if library.isInPlace { return library }
    }
    let library = try Library.open(
      at: location, for: .reading, engine: engine, journals: journals,
      patience: LockTimeoutPolicy(seconds: Self.patience))
    let isFirst = state.withLock { state in
      defer { state.hasOpened = true }
      return !state.hasOpened
    }
    if isFirst { opening.yield((try library.uuid(), library.path)) }
    return library
  }

  private func openWriter(waiting seconds: Double) throws -> Library {
    if let library = state.withLock({ $0.writer }), library.isInPlace {
      return library.waiting(for: seconds)
    }
    let library = try Library.open(
      at: location, for: .writing, engine: engine, journals: journals,
      patience: LockTimeoutPolicy(seconds: seconds))
    state.withLock { $0.writer = library }
    return library
  }
}
