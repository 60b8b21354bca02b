internal import Foundation
package import Holdfast
internal import NIOPosix
internal import Synchronization

/// The library of a long-running program.
///
/// Several requests read at the same time, each on a thread and a connection of its own. Changes are made
/// one after the other, on one thread, because they wait for the library's writer lock. Between requests
/// nothing is locked. If the library's disk goes away and comes back, or another library stands in its
/// place, the next request opens it again.
package final class LibraryHost: Sendable {
  private struct State {
    /// Libraries that nobody reads from at the moment.
    var readers: [Library] = []
    var writer: Library?
  }

  /// How many requests read at the same time.
  private static let readers = 4
  /// How long a change waits for another program, in seconds.
  private static let patience = LockPatience(seconds: 10)

  let location: LibraryLocation
  private let journals: [Journal]
  private let engine: any MediaEngine
  private let state = Mutex(State())
  private let reading = NIOThreadPool(numberOfThreads: readers)
  private let writing = NIOThreadPool(numberOfThreads: 1)

  init(at location: LibraryLocation, _ journals: [Journal], engine: any MediaEngine) {
    self.location = location
    self.journals = journals
    self.engine = engine
    reading.start()
    writing.start()
  }

  /// Ends the threads, when all requests are done.
  func close() async throws {
    try await reading.shutdownGracefully()
    try await writing.shutdownGracefully()
  }

  /// Runs `body` with a library that is only read.
  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await reading.runIfActive {
      let library = try self.borrow()
      defer { self.state.withLock { $0.readers.append(library) } }
      return try body(library)
    }
  }

  /// Runs `body` with a library that may be changed.
  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (Library) throws -> Value
  ) async throws -> Value {
    try await writing.runIfActive { try body(self.openWriter()) }
  }

  /// Runs `body`, which deletes records, and leaves no trace of them in the catalog's file.
  ///
  /// If that is not possible at the moment, it stays due.
  package func delete(_ body: @escaping @Sendable (Library) throws -> Void) async throws {
    try await write { library in
      try body(library)
      _ = try? library.compactIfSmall()
    }
  }

  /// Writes a piece of an upload, which waits for the disk.
  func copying(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await reading.runIfActive(body)
  }

  /// Returns the library for a run that goes on for a while, such as an import. It takes the writer lock
  /// for its short steps only.
  func writer() async throws -> Library { try await write { $0 } }

  private func borrow() throws -> Library {
    while let library = state.withLock({ $0.readers.popLast() }) {
      if library.isInPlace { return library }
    }
    return try Library.open(
      at: location, for: .reading, journals: journals, patience: Self.patience)
  }

  private func openWriter() throws -> Library {
    if let library = state.withLock({ $0.writer }), library.isInPlace { return library }
    let library = try Library.open(
      at: location, for: .writing, engine: engine, journals: journals, patience: Self.patience)
    state.withLock { $0.writer = library }
    return library
  }
}
