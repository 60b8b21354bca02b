import Foundation
import Holdfast
import HoldfastTestSupport
import Synchronization
import Testing

/// Libraries into which fixtures were imported, once for all tests that begin with them.
actor ImportedLibraries {
  static let shared = ImportedLibraries()

  /// Untouched libraries, and folders of tests that have a copy.
  private static let state = Mutex((untouched: Set<String>(), served: Set<String>()))
  /// Removed when the tests end.
  private static let folder: String = {
    let path = "\(FileManager.default.temporaryDirectory.path)/holdfast-imported-\(getpid())"
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    atexit {
      try? FileManager.default.removeItem(
        atPath: "\(FileManager.default.temporaryDirectory.path)/holdfast-imported-\(getpid())")
    }
    return path
  }()

  private var libraries: [[String]: Task<String, any Error>] = [:]

  /// Notes that a test has made a library.
  static func note(new path: String) { state.withLock { _ = $0.untouched.insert(path) } }

  /// Notes that a library may have been changed.
  static func note(touched path: String) { state.withLock { _ = $0.untouched.remove(path) } }

  /// Whether a library may become a copy: it is untouched, and the test has no other copy, which
  /// would have the same IDs.
  static func mayBeCopied(_ path: String) -> Bool {
    let contents = try? FileManager.default.subpathsOfDirectory(atPath: path)
    let usual = [
      ".lock", ".staging", ".trash", "Recordings", "Recordings/Thumbnails", "catalog.sqlite",
      "holdfast.json",
    ]
    return state.withLock { state in
      state.untouched.remove(path) != nil && Set(contents ?? []).isSubset(of: usual)
        && state.served.insert(TemporaryFolder.current).inserted
    }
  }

  /// The library with only the fixtures.
  func library(holding fixtures: [String]) async throws -> String {
    if let made = libraries[fixtures] { return try await made.value }
    let path = "\(Self.folder)/\(libraries.count)"
    let task = Task {
      try Library.create(at: LibraryLocation(path: path))
      _ = try await Command.output(
        of: Command.holdfast, ["import", "--library", path] + fixtures.map(Fixtures.path))
      return path
    }
    libraries[fixtures] = task
    return try await task.value
  }
}
