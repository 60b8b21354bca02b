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
    case .documents where path == "Documents": ""
    case .documents:
      path.hasPrefix("Documents/") ? String(path.dropFirst("Documents/".count)) : nil
    case .backup(let files): files[path].map { "\($0.prefix(2))/\($0)" }
    }
  }

  func has(_ path: String) throws(HoldfastError) -> Bool {
    guard let place = place(of: path) else { return false }
    return try folder.kind(of: place) == .regular
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

  /// Lists the files in a folder and below it.
  func listing(below path: String) -> SourceFolder.Listing {
    if case .backup(let files) = layout {
      return .init(files: files.keys.filter { $0.hasPrefix(path + "/") }.sorted())
    }
    guard let place = place(of: path) else { return .init() }
    let prefix = place.isEmpty && !path.isEmpty ? path + "/" : path
    var listing = folder.listing(below: place)
    listing.files = listing.files.map { (file: String) -> String in
      prefix + String(file.dropFirst(place.count))
    }
    return listing
  }

  /// Returns the route of a recording's file, which the app may name from its documents or from the
  /// folder of the recordings.
  ///
  /// - Throws: `HoldfastError` for a path that leaves the app's documents, a missing file, and a
  ///   folder that cannot be read.
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
    // A relative URL may have percent signs too.
    let decoded = relative.removingPercentEncoding.flatMap(AppRecording.relativePath)
    let paths = [relative, decoded].compactMap(\.self).flatMap { relative in
      // An older app may name it from the folder above.
      bases.map { $0 + relative } + (relative.hasPrefix("Documents/") ? [relative] : [])
    }
    // A Mac may have written the file's name in another normal form of Unicode.
    let others = paths.flatMap {
      [$0.precomposedStringWithCanonicalMapping, $0.decomposedStringWithCanonicalMapping]
    }
    for path in paths + others {
      if try has(path), let route = route(to: path) { return (path, route) }
    }
    throw HoldfastError(
      .fileMissing, "the app lists it, but its file is not there", operation: "copy the app")
  }
}
