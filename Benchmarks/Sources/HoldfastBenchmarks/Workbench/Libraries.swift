import Foundation

extension Workbench {
  /// Returns a step that puts an empty library at `path`.
  ///
  /// It copies a library, because making one is not part of an import.
  func freshLibrary(at path: String) throws -> () throws -> Void {
    let empty = try emptyLibrary()
    return {
      try run(["rm", "-rf", path])
      try run(["cp", "-a", empty, path])
    }
  }

  /// An empty library.
  func emptyLibrary() throws -> String {
    let path = "\(folder)/empty"
    if !FileManager.default.fileExists(atPath: path) { try run([holdfast, "init", path]) }
    return path
  }

  /// Makes a library with a large catalog, of the default size unless `recordings` is given.
  func makeCatalog(_ name: String, recordings: Int? = nil) throws -> String {
    let path = "\(folder)/\(name)"
    let few = recordings.map { ["--recordings", "\($0)", "--cravings", "10", "--usage", "10"] }
    try run(["\(root)/scripts/make-catalog", path] + (few ?? []))
    return path
  }

  /// Makes a library whose recordings have transcripts.
  func makeWords(_ name: String, recordings: Int) throws -> String {
    let path = "\(folder)/\(name)"
    try run([
      "\(root)/scripts/make-catalog", path, "--recordings", "\(recordings)", "--cravings", "10",
      "--usage", "10", "--words",
    ])
    return path
  }
}
