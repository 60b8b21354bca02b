import Glibc
package import HoldfastModel
import HoldfastSupport
import Synchronization

/// Writes files into a new folder and the folders in it, and makes all of it durable at the end.
///
/// Errors of the target disk are ``WritingFailure``; other errors concern the files that are read.
struct FolderWriter: ~Copyable {
  let directory: Directory
  /// Whether each file is synced when it is written, because the filesystem cannot sync all.
  let syncsFiles: Bool
  /// The folders in this one that were written to last, by their paths in it.
  private let folders = Mutex<[[UInt8]: Directory]>([:])
  private static let mostFolders = 64

  init(_ directory: Directory) {
    self.directory = directory
    syncsFiles = SourceFile.isRemote(directory.file)
  }

  /// Makes an empty file for its owner alone.
  func makeFile(_ path: String) throws -> OpenFile {
    try writing { () throws(HoldfastError) in
      let (folder, name) = try place(path)
      return try folder.makeFile(name)
    }
  }

  /// Copies a file, with its modification time. Returns the hash, and the number of bytes; `nil` if
  /// `accept` refused the hash: then nothing is kept.
  func copy(
    _ source: OpenFile, to path: String, until stop: StopFlag,
    if accept: (SHA256Digest) -> Bool
  ) throws -> (hash: SHA256Digest, size: Int64)? {
    let identity = try source.identity()
    let target = try makeFile(path)
    do {
      let hash =
        SystemCalls.clone(source, to: target)
        ? try target.sha256(until: stop)
        : try source.sha256(until: stop) { bytes in
          try writing { () throws(HoldfastError) in try target.write(bytes) }
        }
      guard accept(hash) else {
        try remove(path)
        return nil
      }
      // A filesystem that cannot keep the time keeps the bytes all the same.
      try? SystemCalls.setModificationTime(identity.modified, of: target)
      return try writing { () throws(HoldfastError) in
        if syncsFiles { try SystemCalls.sync(target) }
        return (hash, try target.identity().size)
      }
    } catch let error where !(error is WritingFailure) {
      try remove(path)
      throw error
    }
  }

  func remove(_ path: String) throws {
    try writing { () throws(HoldfastError) in
      let (folder, name) = try place(path)
      try folder.remove(name)
    }
  }

  func sync() throws(HoldfastError) {
    guard syncsFiles else { return try SystemCalls.syncFilesystem(of: directory.file) }
    for folder in folders.withLock({ Array($0.values) }) { try folder.sync() }
    try directory.sync()
  }

  /// Returns the folder of a path, made if need be, and the name in it.
  func place(_ path: String) throws(HoldfastError) -> (Directory, String) {
    guard var parts = Array(path.utf8).components, let last = parts.popLast() else {
      throw HoldfastError(.unsafePath, operation: "name a file", path: directory.place(path).path)
    }
    let name = String(decoding: last, as: UTF8.self)
    let folderPath = Array(parts.joined(separator: [Layout.slash]))
    if let known = folders.withLock({ $0[folderPath] }) { return (known, name) }
    var folder = directory
    for part in parts { folder = try folder.making(String(decoding: part, as: UTF8.self)) }
    if folders.withLock({ $0.count }) >= Self.mostFolders {
      if syncsFiles { for old in folders.withLock({ Array($0.values) }) { try old.sync() } }
      folders.withLock { $0 = [:] }
    }
    folders.withLock { $0[folderPath] = folder }
    return (folder, name)
  }
}

/// The target disk failed, so no other file can be written either.
package struct WritingFailure: Error {
  package var reason: HoldfastError

  package init(reason: HoldfastError) { self.reason = reason }
}

/// Runs `body`, whose errors are those of the target disk.
func writing<Value>(_ body: () throws(HoldfastError) -> Value) throws -> Value {
  do throws(HoldfastError) { return try body() } catch { throw WritingFailure(reason: error) }
}
