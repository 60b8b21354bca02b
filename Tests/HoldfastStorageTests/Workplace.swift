import Foundation
import Glibc
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport

/// A path in the test's own folder.
func temporary(_ name: String) -> String { "\(TemporaryFolder.current)/\(name)" }

/// Writes a file in the test's own folder, and the folders above it.
func write(_ text: String = "x", to name: String) throws {
  let url = URL(filePath: temporary(name))
  try FileManager.default.createDirectory(
    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
  try Data(text.utf8).write(to: url)
}

func makeFolder(_ name: String) throws {
  try FileManager.default.createDirectory(
    atPath: temporary(name), withIntermediateDirectories: true)
}

/// The content at a path in the test's folder; `nil` for nothing.
func read(_ name: String) -> String? {
  try? String(contentsOfFile: temporary(name), encoding: .utf8)
}

/// The permission bits of a path.
func mode(_ path: String) -> mode_t {
  let attributes = try? FileManager.default.attributesOfItem(atPath: path)
  return (attributes?[.posixPermissions] as? NSNumber)?.uint32Value ?? 0
}

/// Every path below a folder of the test, sorted.
func listing(_ name: String) throws -> [String] {
  try FileManager.default.subpathsOfDirectory(atPath: temporary(name)).sorted()
}

/// A library in the test's own folder, with a catalog of no bytes.
func makeLibrary(_ name: String = "library", uuid: UUID = UUID()) throws -> LibraryTree {
  try LibraryTree.create(at: temporary(name), makingParents: false) { _ in uuid }.tree
}

/// The name that this computer gives to a folder in `.staging` or `.trash` of the test's library.
func workName(_ id: UUID) -> String {
  let tree = try? LibraryTree.open(at: temporary("library"))
  return ([id.uuidString] + (tree.map { [$0.machine] } ?? [])).joined(separator: ".")
}

/// A sealed import with a file of each name in it.
func makeStaging(
  _ tree: LibraryTree, id: UUID = UUID(), files: [String], recordings: [RecordingID]
) throws -> Staging {
  let staging = try tree.withWriterLock { lock in try tree.makeStaging(id: id, under: lock) }
  for name in files { try staging.createFile(named: name).write(ArraySlice(Array(name.utf8))) }
  try staging.seal(recordings: recordings)
  return staging
}

/// The rows of a library that has no catalog.
struct Rows {
  var ids: Set<UUID> = []
  var hash: (OpenFile) throws -> KnownHash = { _ in .unreadable }
  var settle: (RemadeFile) throws -> Bool = { _ in true }
  /// Throws where rows must not be read.
  var check: () throws -> Void = {}

  func hasRow(of id: UUID) throws -> Bool {
    try check()
    return ids.contains(id)
  }
}

extension Recovery {
  /// Recovers by the rows of a test.
  static func run(
    of tree: LibraryTree, under lock: borrowing WriterLock, rows: Rows
  ) throws -> RecoveryReport {
    try Recovery(of: tree, hasRow: rows.hasRow, hash: rows.hash).run(
      under: lock, isOffline: { false }, settling: rows.settle)
  }
}
