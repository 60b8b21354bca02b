import Foundation
import Glibc
package import HoldfastModel
import Synchronization

/// The copies of recordings in `.cache`. They can be made again at any time, so they are never
/// backed up, and any of them may be removed.
package struct PlayableCopies: Sendable {
  let library: Directory

  package func open(_ file: CachedFile) throws(HoldfastError) -> OpenFile? {
    try library.existing(Layout.cache)?.existingFile(file.name, O_RDONLY)
  }

  /// Returns the names in the cache, without the index of words.
  package func names() throws(HoldfastError) -> [[UInt8]] {
    try library.existing(Layout.cache)?.entries().map(\.name).filter {
      !$0.elementsEqual(WordIndexFile.name.utf8)
    } ?? []
  }

  /// Moves a file from staging into the cache, in place of an earlier one for the same recording.
  /// Then the oldest files of the cache are removed until it has at most `limit` bytes. The new one
  /// always stays.
  ///
  /// - Parameter lock: Under it, make sure first that the recording has a row.
  package func add(
    _ name: String, from staging: Staging, as file: CachedFile, limit: Int64,
    under lock: borrowing WriterLock
  ) throws(HoldfastError) {
    let cache = try library.making(Layout.cache)
    try cache.removeFiles(of: file.id, by: library)
    try SystemCalls.rename(staging.directory.place(name), replacing: cache.place(file.name))
    staging.state.withLock { _ = $0.names.remove(name) }
    try cache.shrink(to: limit, keeping: file.name)
  }

  /// Removes a recording's files from the cache, and waits until that is on the disk.
  ///
  /// Call it before the recording's row is deleted: if the deletion is interrupted, nothing of a
  /// deleted recording is left in the cache.
  ///
  /// - Parameter lock: The writer lock, without which a new file could come meanwhile.
  func remove(of id: RecordingID, under lock: borrowing WriterLock) throws(HoldfastError) {
    guard let cache = try library.existing(Layout.cache) else { return }
    if try cache.removeFiles(of: id, by: library) { try cache.sync() }
  }

  /// Removes the cache and everything in it. Links are not followed.
  package func removeAll(under lock: borrowing WriterLock) throws(HoldfastError) {
    guard let found = try SystemCalls.identity(of: library.place(Layout.cache)) else { return }
    guard found.kind == .directory, let cache = try library.existing(Layout.cache) else {
      throw HoldfastError(.notAFolder, operation: "erase", path: library.place(Layout.cache).path)
    }
    let entries = try cache.entries()
    for entry in entries where entry.kind != .directory {
      try SystemCalls.unlink(DirectoryRelativePath(in: cache.file, entry.name))
    }
    let folders = entries.filter { $0.kind == .directory }
    if !folders.isEmpty {
      // Not earlier: on a full disk, no folder can be made.
      try TreeRemoval.remove(folders, of: cache, by: library.making(Layout.trash))
    }
    try cache.sync()
    try library.removeEmpty(Layout.cache)
    try library.sync()
  }
}

extension Directory {
  /// Removes everything that this cache has for a recording. Returns whether there was anything.
  @discardableResult
  fileprivate func removeFiles(
    of id: RecordingID, by library: Directory
  ) throws(HoldfastError) -> Bool {
    let found = try entries().filter { $0.text?.hasPrefix("\(id.uuidString)-") == true }
    guard !found.isEmpty else { return false }
    guard found.contains(where: { $0.kind == .directory }) else {
      for entry in found { try SystemCalls.unlink(DirectoryRelativePath(in: file, entry.name)) }
      return true
    }
    // Holdfast never makes a folder here.
    try TreeRemoval.remove(found, of: self, by: library.making(Layout.trash))
    return true
  }

  fileprivate func shrink(to limit: Int64, keeping name: String) throws(HoldfastError) {
    var files: [(place: DirectoryRelativePath, identity: FileIdentity)] = []
    var total: Int64 = 0
    for entry in try entries() where entry.text?.hasPrefix(WordIndexFile.name) != true {
      let place = DirectoryRelativePath(in: file, entry.name)
      guard let identity = try SystemCalls.identity(of: place), identity.kind == .regular else {
        continue
      }
      total += identity.size
      if entry.text != name { files.append((place, identity)) }
    }
    files.sort { $0.identity.modified < $1.identity.modified }
    for file in files where total > limit {
      try SystemCalls.unlink(file.place)
      total -= file.identity.size
    }
  }
}

/// The name of a file in `.cache`: which recording it was made for, and from which bytes.
///
/// When the recording's file is replaced, the name changes with its hash, so that a copy of the old
/// file is not used.
package struct CachedFile: Hashable, Sendable {
  package let id: RecordingID
  package let name: String

  /// Names the file that is made from a recording's file.
  ///
  /// - Parameter hash: The hash of the recording's file. 64 bits of it are enough to tell the few
  ///   files of one recording apart.
  package init(of id: RecordingID, _ type: RecordingType, hash: SHA256Digest) {
    self.id = id
    name = "\(id.uuidString)-\(hash.hexadecimal.prefix(16)).\(type.fileExtension)"
  }
}
