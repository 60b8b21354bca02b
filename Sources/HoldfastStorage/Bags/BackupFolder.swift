package import Foundation
import Glibc
package import HoldfastModel

/// A folder that a person named for the backups of a library. Each backup is a bag in it.
package final class BackupFolder: Sendable {
  let directory: Directory
  /// Keeps other backups out; `nil` if the folder was opened for reading.
  private let lock: OpenFile?

  /// The folder's path, as it was given.
  package var path: String { directory.file.path }

  static let lockName = ".lock"
  /// Removed bags are moved here and emptied. Nothing in here counts as a bag.
  private static let removed = ".holdfast-removed"
  static let partial = ".partial"

  private init(_ directory: Directory, lock: OpenFile?) {
    self.directory = directory
    self.lock = lock
  }

  package static func open(at path: SourcePath) throws(HoldfastError) -> BackupFolder {
    do throws(HoldfastError) {
      let file = try SystemCalls.open(DirectoryRelativePath(path.bytes), O_RDONLY | O_DIRECTORY)
      return BackupFolder(Directory(file: file), lock: nil)
    } catch let error where error.code == .missing || error.errno == ENOTDIR {
      throw HoldfastError(.folderMissing, operation: "open", path: error.path, errno: error.errno)
    }
  }

  /// Opens a folder to write a backup, and makes it first if there is none. Its parent must exist:
  /// a missing one may be a disk that is not mounted.
  ///
  /// - Throws: `HoldfastError`: `folderMissing` for the parent, `insideLibrary`, `insideBag`,
  ///   `locked` while another backup is written, or a system error.
  package static func openForWriting(at path: SourcePath) throws(HoldfastError) -> BackupFolder {
    let path = path.withoutSlashAtEnd
    try refuse(path)
    if try SystemCalls.identity(of: DirectoryRelativePath(path.bytes), followingLinks: true) == nil,
      let (parent, name) = path.split
    {
      let folder = try SystemCalls.openFolder(forNewThingsIn: parent)
      do throws(HoldfastError) {
        try SystemCalls.makeDirectory(DirectoryRelativePath(in: folder, name))
        try SystemCalls.sync(folder)
      } catch let error where error.code == .exists {
        // Another backup made it first.
      }
    }
    let directory = Directory(file: try SystemCalls.openFolder(forNewThingsIn: path))
    let lock = try SystemCalls.open(
      directory.place(lockName), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
    guard try SystemCalls.tryLock(lock) else {
      throw HoldfastError(
        .fileLocked, operation: "back up to", path: directory.file.path, detail: "another backup")
    }
    return BackupFolder(directory, lock: lock)
  }

  /// Refuses a place where backups may not be: inside a library or a backup, or without a parent.
  package static func refuse(_ path: SourcePath) throws(HoldfastError) {
    let isThere =
      try SystemCalls.identity(of: DirectoryRelativePath(path.bytes), followingLinks: true) != nil
    let folder = isThere ? path : path.split?.folder ?? path
    if !isThere { _ = try SystemCalls.openFolder(forNewThingsIn: folder) }
    try folder.refuseNewThings(as: path.text)
  }

  /// The folder's bags, oldest first. Incomplete bags are left out, and so are folders that cannot
  /// be read.
  ///
  /// A bag that is dated in the future comes first, because a wrong clock made it: otherwise it
  /// would be the newest for years.
  package func bags() throws(HoldfastError) -> [Bag] {
    var bags: [Bag] = []
    for entry in try directory.entries() where entry.kind == .directory {
      guard let name = entry.text, !name.hasPrefix("."), !name.hasSuffix(Self.partial),
        !name.hasSuffix(BagUpdate.suffix),
        let folder = try? directory.existing(name),
        let bag = Bag(folder, name: name, in: directory)
      else { continue }
      bags.append(bag)
    }
    let now = Date()
    return bags.sorted { one, other in
      let (first, second) = (one.isOfFuture(now), other.isOfFuture(now))
      if first != second { return first }
      return (one.info.moment, one.name) < (other.info.moment, other.name)
    }
  }

  /// The names of folders that are named like bags and cannot be read: a file that describes them
  /// is missing, damaged or unreadable.
  package func unreadableBags() throws(HoldfastError) -> [String] {
    var names: [String] = []
    for entry in try directory.entries() where entry.kind == .directory {
      guard let name = entry.text, BagWriter.isName(name[...]) else { continue }
      if let folder = try? directory.existing(name), Bag(folder, name: name, in: directory) != nil {
        continue
      }
      names.append(name)
    }
    return names.sorted()
  }

  /// Removes the remains of an interrupted backup. Files that Holdfast did not make stay.
  @discardableResult
  package func removeLeftovers() throws(HoldfastError) -> Bool {
    var isAny = false
    for entry in try directory.entries() where entry.kind == .directory {
      guard let name = entry.text, name.hasSuffix(Self.partial),
        BagWriter.isName(name.dropLast(Self.partial.count)),
        let folder = try directory.existing(name), try Self.isPartOfBag(folder)
      else { continue }
      // It is not a bag yet, so it is emptied in place: a full disk may have no room for another
      // folder.
      try TreeRemoval.remove(folder.entries(), of: folder, by: folder)
      try directory.removeEmpty(name)
      isAny = true
    }
    return try emptyTrash() || isAny
  }

  /// Whether everything in a folder belongs to a bag, or to a removal of one.
  private static func isPartOfBag(_ folder: Directory) throws(HoldfastError) -> Bool {
    try folder.entries().allSatisfy { entry in
      TreeRemoval.isName(entry) || (entry.text.map(namesInBag.contains) ?? false)
    }
  }

  static let namesInBag =
    [
      Bag.payload, Bag.declarationName, Bag.infoName, Bag.manifestName, Bag.tagManifestName,
    ] + BagList.names

  private func emptyTrash() throws(HoldfastError) -> Bool {
    guard let trash = try directory.existing(Self.removed) else { return false }
    let removed = try trash.entries().filter { TreeRemoval.isName($0) }
    try TreeRemoval.remove(removed, of: trash, by: trash)
    try directory.removeEmpty(Self.removed)
    return !removed.isEmpty
  }

  /// Removes a bag. It stops being a bag at once, before its files are removed.
  package func remove(_ bag: Bag) throws(HoldfastError) {
    let trash = try directory.making(Self.removed)
    var removal = TreeRemoval(by: trash)
    removal.remove(DirectoryEntry(name: Array(bag.name.utf8), kind: .directory), in: directory)
    try directory.sync()
    try removal.finish()
    try directory.removeEmpty(Self.removed)
  }

  /// Begins a bag, or the update of an existing one.
  package func makeBag(at moment: Date, updating old: Bag?) throws(HoldfastError) -> BagWriter {
    try BagWriter(in: directory, moment: moment, updating: old)
  }

  /// Whether the folder's disk ignores case in names, as exFAT does. Tested with a file that each
  /// backup makes.
  package var ignoresCase: Bool { directory.ignoresCase(of: Self.lockName) }

  package func isOnFilesystem(of tree: LibraryTree) throws(HoldfastError) -> Bool {
    try directory.file.identity().device == tree.directory.file.identity().device
  }
}
