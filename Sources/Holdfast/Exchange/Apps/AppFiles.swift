import Foundation
import HoldfastModel
import HoldfastStorage

/// The files of an app. Their paths are those in the app's container: `Documents/Recordings/…`.
struct AppFiles: Sendable {
  enum Layout {
    /// The folder is the container, or has it below a prefix.
    case container(prefix: String)
    /// The folder is the container's `Documents`.
    case documents
    /// The folder is a phone's backup, which has a file's ID for each path.
    case backup([String: String])
  }

  let folder: SourceFolder
  let layout: Layout
  /// The folders from which the app names the files of its recordings.
  var bases = ["Documents/", "Documents/Recordings/"]

  static let store = "Library/Application Support/default.store"
  static let recordings = "Documents/Recordings"

  /// Returns the path below the folder; `nil` if there can be none.
  private func place(of path: String) -> String? {
    switch layout {
    case .container(let prefix): prefix + path
    case .documents:
      path.hasPrefix("Documents/") ? String(path.dropFirst("Documents/".count)) : nil
    case .backup(let files): files[path].map { "\($0.prefix(2))/\($0)" }
    }
  }

  func has(_ path: String) -> Bool {
    place(of: path).map { folder.kind(of: $0) == .regular } ?? false
  }

  func route(to path: String) -> SourceRoute? { place(of: path).map { folder.route(to: $0) } }

  /// Opens a file; `nil` if there is none.
  ///
  /// - Throws: `RuleError` if it is not a regular file, or a backup lists it but lacks it.
  func open(_ path: String) throws -> OpenFile? {
    guard let place = place(of: path) else { return nil }
    do {
      if let file = try folder.open(place) {
        if try file.identity().kind == .regular { return file }
      } else if case .backup = layout {
        throw RuleError(
          "lists \(path.escapedForDisplay), but the file is not in the backup; make it again")
      } else {
        return nil
      }
    } catch let error as HoldfastError where error.code == .unsafePath {}
    throw RuleError("has \(path.escapedForDisplay), which is not a regular file")
  }

  /// Returns the paths of the files in a folder and below it.
  func files(below path: String) -> [String] {
    if case .backup(let files) = layout {
      return files.keys.filter { $0.hasPrefix(path + "/") }.sorted()
    }
    guard let place = place(of: path) else { return [] }
    return folder.files(below: place).map { path + $0.dropFirst(place.count) }
  }

  /// Returns the documents in JSON that are directly in the app's `Documents`.
  func documents() -> [String] {
    switch layout {
    case .documents:
      folder.files(below: "").filter { !$0.contains("/") && $0.hasSuffix(".json") }
        .map { "Documents/" + $0 }
    case .container, .backup:
      files(below: "Documents").filter {
        $0.split(separator: "/").count == 2 && $0.hasSuffix(".json")
      }
    }
  }

  /// Returns the route of a recording's file, which the app may name from its documents or from the
  /// folder of the recordings.
  ///
  /// - Throws: `HoldfastError` for a path that leaves the app's documents, and a missing file.
  func recording(at path: String) throws(HoldfastError) -> (path: String, route: SourceRoute) {
    guard !path.isEmpty else {
      // Voice memos lie in one folder.
      guard bases.count == 1 else {
        throw HoldfastError(
          .fileMissing, "the app lists it without a file", operation: "copy the app")
      }
      throw HoldfastError(
        .fileMissing, "the app lists it without a file: it was never downloaded to that device",
        operation: "download")
    }
    guard let relative = AppRecording.relativePath(path) else {
      throw HoldfastError(
        .notARecording, "its path does not lie in the app's documents, so it was not read")
    }
    // An older app may name it from the folder above.
    let whole = relative.hasPrefix("Documents/") ? [relative] : []
    let paths = bases.map { $0 + relative } + whole
    // A Mac may have written the file's name in another normal form of Unicode.
    let others = paths.flatMap {
      [$0.precomposedStringWithCanonicalMapping, $0.decomposedStringWithCanonicalMapping]
    }
    for path in paths + others where has(path) {
      if let route = route(to: path) { return (path, route) }
    }
    throw HoldfastError(
      .fileMissing, "the app lists it, but its file is not there", operation: "copy the app")
  }
}
