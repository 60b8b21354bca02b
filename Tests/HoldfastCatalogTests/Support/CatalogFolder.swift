import Foundation
import HoldfastCatalog
import HoldfastModel

/// A folder for one test, removed with the last reference to it.
final class CatalogFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("holdfast-catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder, which need not exist.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The path of a database in the folder: an empty file with mode 0600, as the library makes it.
  func emptyDatabase(_ name: String = "catalog.sqlite") throws -> String {
    guard
      FileManager.default.createFile(
        atPath: file(name), contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
    return file(name)
  }

  /// The path of a complete catalog that holds `recordings`.
  func catalog(_ recordings: [Recording] = []) throws -> String {
    let path = try emptyDatabase()
    _ = try Catalog.create(at: path)
    try Catalog(path: path, access: .writing).recordings.insert(recordings)
    return path
  }
}
