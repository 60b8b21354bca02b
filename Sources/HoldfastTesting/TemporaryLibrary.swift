import Foundation
public import Holdfast

/// Runs `body` with a new library in a temporary folder, open for writing, and removes the library
/// afterwards.
///
/// It is a library like any other, with files: only its folder is temporary. On most systems a
/// folder in memory can be named in `TMPDIR`.
///
/// - Parameters:
///   - journals: The journals that the program knows. They are enabled.
///   - engine: The engine that imports recordings; `nil` if the test imports none.
///   - isolation: The actor of the caller, in which the test runs.
///   - body: The test.
/// - Throws: What `body` throws, and `HoldfastError` if the library cannot be made.
public func withTemporaryLibrary<Result>(
  journals: [Journal] = [], engine: (any MediaEngine)? = nil,
  isolation: isolated (any Actor)? = #isolation, _ body: (Library) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "holdfast-\(UUID().uuidString)").path
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let location = LibraryLocation(path: folder)
  _ = try Library.create(at: location)
  let library = try Library.open(
    at: location, for: .writing, engine: engine, journals: journals)
  for journal in journals where !journal.isAlwaysEnabled {
    try library.enableJournal(journal.name)
  }
  return try await body(library)
}
