import Foundation
import Glibc
package import HoldfastModel
package import HoldfastSupport
import Synchronization

/// A folder with copies of many files, such as a library that is being restored. It is beside its
/// target, under a hidden name, until ``finish()``. ``discard()`` removes it. An interrupted one is
/// removed when the same work is done at the same place again.
package final class RestoredFolder: Sendable {
  /// What is made.
  package enum Work: Sendable {
    case restore
    /// A folder that an app could read.
    case export

    fileprivate func hidden(_ name: [UInt8]) -> String {
      ".\(String(decoding: name, as: UTF8.self)).\(self == .restore ? "restoring" : "exporting")"
    }

    /// Whether the work makes an entry with this name.
    fileprivate func makes(_ name: String) -> Bool {
      switch self {
      case .restore:
        [
          Layout.marker, Layout.catalog, Layout.catalogJournal, Layout.lock, RelativePath.root,
          Layout.staging, Layout.trash, Layout.quarantine,
        ].contains(name)
      case .export: name == RelativePath.root || name.hasSuffix(".json")
      }
    }
  }

  package let target: SourcePath
  private let parent: Directory
  private let name: [UInt8]
  private let hidden: String
  private let writer: FolderWriter
  private let isDone = Mutex(false)

  /// The folder's path until it is complete.
  package var path: String { writer.directory.file.path }

  /// Begins a folder at a path where there is nothing, or an empty folder.
  ///
  /// - Throws: `HoldfastError`: `folderNotEmpty`, `folderMissing` for the parent,
  ///   `insideLibrary`, `insideBag`, `mountPoint`, `fileLocked` while the same is made
  ///   there, or a system error.
  package init(_ work: Work = .restore, at path: SourcePath) throws(HoldfastError) {
    let path = path.withoutSlashAtEnd
    guard let (parentPath, name) = path.split else {
      throw HoldfastError(.folderMissing, operation: "make", path: path.text)
    }
    let parent = Directory(file: try SystemCalls.openFolder(forNewThingsIn: parentPath))
    try Self.refuseUnlessFree(DirectoryRelativePath(in: parent.file, name), in: parent)
    let hidden = work.hidden(name)
    try Self.removeInterrupted(work, hidden, in: parent)
    try SystemCalls.makeDirectory(parent.place(hidden))
    let directory = try parent.openFolder(hidden.utf8)
    // Where folders can be locked, this keeps other restores from mistaking it for an interrupted
    // one.
    _ = try? SystemCalls.tryLock(directory.file)
    target = path
    self.parent = parent
    self.name = name
    self.hidden = hidden
    writer = FolderWriter(directory)
  }

  private static func refuseUnlessFree(
    _ place: DirectoryRelativePath, in parent: Directory
  ) throws(HoldfastError) {
    guard let identity = try SystemCalls.identity(of: place) else { return }
    guard identity.kind == .directory,
      try SystemCalls.entries(of: SystemCalls.open(place, O_RDONLY | O_DIRECTORY)).isEmpty
    else { throw HoldfastError(.folderNotEmpty, operation: "make", path: place.path) }
    guard try identity.device == parent.file.identity().device else {
      throw HoldfastError(.mountPoint, operation: "make", path: place.path)
    }
  }

  private static func removeInterrupted(
    _ work: Work, _ name: String, in parent: Directory
  ) throws(HoldfastError) {
    guard let folder = try parent.existing(name) else { return }
    let isOurs = try folder.entries().allSatisfy { entry in
      TreeRemoval.isName(entry) || entry.text.map(work.makes) ?? false
    }
    guard isOurs else {
      throw HoldfastError(.exists, operation: "make", path: folder.file.path, errno: EEXIST)
    }
    guard (try? SystemCalls.tryLock(folder.file)) ?? true else {
      throw HoldfastError(
        .fileLocked, operation: work == .restore ? "restore to" : "export to",
        path: folder.file.path, detail: "another \(work)")
    }
    try TreeRemoval.remove(folder.entries(), of: folder, by: folder)
    try parent.removeEmpty(name)
  }

  deinit { discard() }

  /// Removes the folder, unless it has its name.
  package func discard() {
    let wasDone = isDone.withLock { isDone in
      defer { isDone = true }
      return isDone
    }
    guard !wasDone else { return }
    let folder = writer.directory
    try? TreeRemoval.remove(folder.entries(), of: folder, by: folder)
    _ = try? parent.removeEmpty(hidden)
  }

  /// Copies a file into the folder. Returns `false` if the bytes do not have the expected hash:
  /// then nothing is kept.
  package func copy(
    _ source: OpenFile, to path: String, expecting hash: SHA256Digest, until stop: StopFlag
  ) throws -> Bool {
    try writer.copy(source, to: path, until: stop) { $0 == hash } != nil
  }

  /// Writes a file with these bytes.
  package func write(_ bytes: [UInt8], to path: String) throws {
    let file = try writer.makeFile(path)
    try writing { () throws(HoldfastError) in
      try file.write(bytes[...])
      if writer.syncsFiles { try SystemCalls.sync(file) }
    }
  }

  /// Makes the folders of the recordings and their thumbnails.
  package func makeRecordingFolders() throws(HoldfastError) {
    _ = try writer.directory.making(RelativePath.root).making(RelativePath.thumbnails)
  }

  /// Makes the folders that every library has, and waits until all of it is on the disk.
  package func complete() throws(HoldfastError) {
    let folder = writer.directory
    try makeRecordingFolders()
    _ = try folder.making(Layout.staging)
    _ = try folder.making(Layout.trash)
    try writer.sync()
  }

  /// Gives the folder its name.
  ///
  /// - Throws: `HoldfastError`: `folderNotEmpty` when something else has that name by now, or a
  ///   system error. Nothing is then changed.
  package func finish() throws(HoldfastError) {
    try writer.sync()
    let place = DirectoryRelativePath(in: parent.file, name)
    try Self.refuseUnlessFree(place, in: parent)
    // An empty folder is replaced. The system refuses to replace any other.
    try SystemCalls.rename(parent.place(hidden), replacing: place)
    isDone.withLock { $0 = true }
    try parent.sync()
  }
}
