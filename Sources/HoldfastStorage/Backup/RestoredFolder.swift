internal import Foundation
internal import Glibc
package import HoldfastModel
package import HoldfastSupport
internal import Synchronization

/// A library that is being restored. It is beside its place, under a hidden name, until
/// ``finish()``. Without that, ``discard()`` removes it.
public final class RestoredFolder: Sendable {
  /// The path that the library gets.
  public let target: SourcePath
  private let parent: OpenFile
  private let name: [UInt8]
  private let hidden: String
  private let writer: FolderWriter
  private let isDone = Mutex(false)

  /// The path of the folder, as long as it is not whole.
  public var path: String { writer.directory.file.path }

  /// Begins a library at a path where there is nothing, or an empty folder.
  ///
  /// - Throws: ``StorageError``: `folderNotEmpty`, `folderMissing` for the parent, `insideLibrary`, or
  ///   a system error.
  public init(at path: SourcePath) throws(StorageError) {
    let path = path.withoutSlashAtEnd
    guard let (parentPath, name) = path.split else {
      throw StorageError(.folderMissing, "make", path: Place(path.bytes).path)
    }
    let parent = try SystemCalls.openFolder(forNewThingsIn: parentPath)
    try Self.refuseUnlessFree(Place(in: parent, name))
    let hidden = ".holdfast-\(UUID().uuidString)"
    try SystemCalls.makeDirectory(Place(in: parent, hidden))
    guard let directory = try Directory(file: parent).existing(hidden) else {
      throw StorageError(.missing, "open", path: Place(in: parent, hidden).path, errno: ENOENT)
    }
    target = path
    self.parent = parent
    self.name = name
    self.hidden = hidden
    writer = FolderWriter(directory)
  }

  private static func refuseUnlessFree(_ place: Place) throws(StorageError) {
    guard let identity = try SystemCalls.identity(of: place) else { return }
    guard identity.kind == .directory,
      try SystemCalls.entries(of: SystemCalls.open(place, O_RDONLY | O_DIRECTORY)).isEmpty
    else { throw StorageError(.folderNotEmpty, "make", path: place.path) }
  }

  deinit { discard() }

  /// Removes the folder, unless the library has its name.
  public func discard() {
    let wasDone = isDone.withLock { isDone in
      defer { isDone = true }
      return isDone
    }
    guard !wasDone else { return }
    let trash = Directory(file: parent)
    var removal = TreeRemoval(by: trash)
    removal.remove(DirectoryEntry(name: Array(hidden.utf8), kind: .directory), in: trash)
    try? removal.finish()
  }

  /// Copies a file into the library.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - path: The path, relative to the library's folder.
  ///   - hash: The hash that it must have.
  ///   - stop: Ends the copying with a `CancellationError`.
  /// - Returns: Whether the bytes have that hash. If not, nothing is kept.
  /// - Throws: ``WritingFailure``, `CancellationError`, and ``StorageError`` when the source cannot be
  ///   read.
  package func copy(
    _ source: OpenFile, to path: String, expecting hash: SHA256Digest, until stop: StopFlag
  ) throws -> Bool {
    try writer.copy(source, to: path, until: stop) { $0 == hash } != nil
  }

  /// Makes the folders that every library has, and waits until all of it is on the disk.
  public func complete() throws(StorageError) {
    let folder = writer.directory
    _ = try folder.making(RelativePath.root).making(RelativePath.thumbnails)
    _ = try folder.making(Layout.staging)
    _ = try folder.making(Layout.trash)
    try writer.sync()
  }

  /// Gives the library its name.
  ///
  /// - Throws: ``StorageError``: `folderNotEmpty` when something else has that name by now, or a system
  ///   error. Nothing is then changed.
  public func finish() throws(StorageError) {
    try writer.sync()
    let place = Place(in: parent, name)
    try Self.refuseUnlessFree(place)
    // An empty folder is replaced. The system refuses to replace any other.
    try SystemCalls.rename(Place(in: parent, hidden), replacing: place)
    isDone.withLock { $0 = true }
    try SystemCalls.sync(parent)
  }
}
