import Foundation
import HoldfastModel
import HoldfastStorage

/// Private copies of an app's stores, which SQLite may recover. The stores are only read.
///
/// They are in the library's staging; in a dry run, which writes nothing there, in the folder for
/// temporary files.
struct StoreCopies {
  private let staging: Staging?
  private let folder: String
  /// How often a store that changes meanwhile is copied again.
  private static let attempts = 5

  init(for library: Library) throws {
    guard library.access == .writing else {
      staging = nil
      folder = FileManager.default.temporaryDirectory.path + "/holdfast-\(UUID().uuidString)"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      return
    }
    let tree = try library.writableTree()
    let staging = try tree.withWriterLock { try tree.makeStaging(id: RecordingID(), under: $0) }
    self.staging = staging
    folder = staging.path(of: "")
  }

  /// Copies a store with its `-wal`, and reads the copy.
  ///
  /// - Parameters:
  ///   - open: Opens the store, or the file beside it whose name ends with a suffix.
  ///   - read: Reads the copy at a path.
  /// - Throws: `RuleError` if it cannot be read. If an app writes meanwhile, the copy may be
  ///   damaged.
  func reading<Value>(
    _ open: (_ suffix: String) throws -> OpenFile?, _ read: (String) throws -> Value
  ) throws -> Value {
    var failure = RuleError("changes while it is copied; close the app and try again")
    for _ in 0..<Self.attempts {
      let name = UUID().uuidString
      defer { for suffix in ["", "-wal", "-journal", "-shm"] { remove(name + suffix) } }
      guard try copy(open, to: name) else { continue }
      do { return try read(folder + (folder.hasSuffix("/") ? "" : "/") + name) } catch let error
        as HoldfastError
      {
        guard error.code == .damaged else { throw RuleError(error.reason) }
        failure = RuleError("\(error.reason); close the app, copy its folder again and try again")
      }
    }
    throw failure
  }

  /// - Returns: Whether no file changed meanwhile.
  private func copy(_ open: (String) throws -> OpenFile?, to name: String) throws -> Bool {
    var before: [String: FileIdentity] = [:]
    let files = try ["", "-wal", "-journal"].compactMap { suffix in
      try open(suffix).map { (suffix, $0) }
    }
    for (suffix, file) in files {
      let identity = try file.identity()
      guard identity.kind == .regular else { throw RuleError("is not a regular file") }
      guard identity.size <= ReadLimit.catalog else {
        throw RuleError(ReadLimit.reason(identity.size, atMost: ReadLimit.catalog))
      }
      before[suffix] = identity
    }
    for (suffix, file) in files { try write(file, to: name + suffix) }
    for suffix in ["", "-wal", "-journal"] {
      let now = try open(suffix)?.identity()
      guard
        now.map({ now in before[suffix].map { now.hasSizeAndTime(of: $0) } ?? false })
          ?? (before[suffix] == nil)
      else { return false }
    }
    return true
  }

  private func write(_ file: OpenFile, to name: String) throws {
    if let staging {
      let copy = try staging.createFile(named: name)
      return try file.forEachChunk { try copy.write($0) }
    }
    let path = folder + "/" + name
    guard
      FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
      let copy = FileHandle(forWritingAtPath: path)
    else { throw RuleError("cannot be copied into \(folder)") }
    defer { try? copy.close() }
    try file.forEachChunk { try copy.write(contentsOf: Data($0)) }
  }

  private func remove(_ name: String) {
    if let staging {
      try? staging.removeFile(named: name)
    } else {
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }

  func remove() {
    if let staging {
      try? staging.remove()
    } else {
      try? FileManager.default.removeItem(atPath: folder)
    }
  }
}
