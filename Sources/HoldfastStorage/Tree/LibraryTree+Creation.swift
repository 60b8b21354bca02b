package import Foundation
import Glibc
package import HoldfastModel

extension LibraryTree {
  /// Makes a library. If there is one already, it is opened and stays as it is.
  ///
  /// The catalog is made first and the marker last. So an interrupted creation leaves no library,
  /// and the next call continues it. Two processes may call this at once, and one of them makes the
  /// library.
  ///
  /// - Parameters:
  ///   - makingParents: Whether missing parent folders may be made too. Allow that for the default
  ///     place. If a person named the folder, a missing parent may be a disk that is not mounted.
  ///   - isSharedDisk: Whether the library may be on a network filesystem, because only one
  ///     computer at a time will write to it.
  ///   - createCatalog: Makes the catalog at the given path, or finds it there, and returns its
  ///     UUID. It is called under the writer lock.
  /// - Throws: `HoldfastError`: `insideLibrary`, `insideBag`, `parentMissing`, `notEmpty`,
  ///   `notALibrary`, `newerFormat`, `otherFilesystem`, `networkFilesystem`, or a system error;
  ///   `locked`; `CancellationError` when the task is cancelled while it waits; and what
  ///   `createCatalog` throws.
  package static func create(
    at path: String, makingParents: Bool, onSharedDisk isSharedDisk: Bool = false,
    patience: LockTimeoutPolicy = LockTimeoutPolicy(),
    createCatalog: (_ catalogPath: String) throws -> UUID
  ) throws -> (tree: LibraryTree, isNew: Bool) {
    if let tree = try existing(at: path, patience) { return (tree, false) }
    try SourcePath(path).nearestFolder.refuseNewThings(as: path)
    let isOurs = try makeFolder(at: path, makingParents: makingParents)
    guard let directory = try folder(at: path) else {
      throw HoldfastError(.missing, operation: "open", path: path, errno: ENOENT)
    }
    do {
      return try create(
        in: directory, path: path, onSharedDisk: isSharedDisk, patience, createCatalog)
    } catch {
      if isOurs { try? SystemCalls.unlink(DirectoryRelativePath(path), directory: true) }
      throw error
    }
  }

  private static func create(
    in directory: Directory, path: String, onSharedDisk isSharedDisk: Bool,
    _ patience: LockTimeoutPolicy,
    _ createCatalog: (String) throws -> UUID
  ) throws -> (tree: LibraryTree, isNew: Bool) {
    // Checked before the lock too, so that not even `.lock` is left in a folder that is refused.
    if try LibraryMarker.read(in: directory) == nil {
      try refuseOtherFiles(in: directory)
      try directory.refuseOtherFilesystems()
      if !isSharedDisk { try directory.refuseNetwork(to: "make") }
    }
    let lock = try WriterLock.acquire(in: directory, patience)
    if let marker = try LibraryMarker.read(in: directory) {
      return (
        LibraryTree(path: path, marker: marker, directory: directory, patience: patience), false
      )
    }
    try refuseOtherFiles(in: directory)
    do {
      let marker = try fill(
        directory, under: lock, onSharedDisk: isSharedDisk, createCatalog)
      return (
        LibraryTree(path: path, marker: marker, directory: directory, patience: patience), true
      )
    } catch {
      empty(directory, under: lock)
      throw error
    }
  }

  /// Makes everything in the library's folder, the marker last.
  private static func fill(
    _ directory: Directory, under lock: borrowing WriterLock, onSharedDisk isSharedDisk: Bool,
    _ createCatalog: (String) throws -> UUID
  ) throws -> LibraryMarker {
    try SystemCalls.setMode(0o700, of: directory.file)
    _ = try directory.making(RelativePath.root).making(RelativePath.thumbnails)
    _ = try directory.making(Layout.staging)
    _ = try directory.making(Layout.trash)
    // SQLite gives its journal the database's mode. Because the file is made here, both are
    // private.
    if try directory.existingFile(Layout.catalog, O_RDONLY) == nil {
      _ = try directory.makeFile(Layout.catalog)
    }
    let marker = LibraryMarker(
      uuid: try createCatalog(directory.place(Layout.catalog).path),
      sharedDisk: isSharedDisk ? true : nil)
    try directory.sync()
    try marker.write(in: directory)
    return marker
  }

  /// Removes the parts of a failed creation, as far as the system allows. If something was written
  /// to the catalog, the catalog stays, and the next creation continues with it.
  private static func empty(_ directory: Directory, under lock: borrowing WriterLock) {
    if let recordings = try? directory.existing(RelativePath.root) {
      _ = try? recordings.removeEmpty(RelativePath.thumbnails)
    }
    for name in [RelativePath.root, Layout.staging, Layout.trash] {
      _ = try? directory.removeEmpty(name)
    }
    let catalog = try? SystemCalls.identity(of: directory.place(Layout.catalog))
    guard let catalog, catalog.kind == .regular, catalog.size == 0 else { return }
    try? directory.remove(Layout.catalog)
    try? directory.remove(Layout.lock)
  }

  /// Makes the folder, for its owner alone. Returns `false` if it was there before.
  private static func makeFolder(at path: String, makingParents: Bool) throws(HoldfastError) -> Bool
  {
    let parent = SourcePath(path).withoutSlashAtEnd.split?.folder.text
    do throws(HoldfastError) {
      try SystemCalls.makeDirectory(DirectoryRelativePath(path))
    } catch let error where error.code == .exists {
      return false
    } catch let error where error.code == .missing {
      guard makingParents, let parent else {
        throw HoldfastError(
          .parentMissing, operation: "make", path: parent ?? path, errno: error.errno)
      }
      _ = try makeFolder(at: parent, makingParents: true)
      return try makeFolder(at: path, makingParents: false)
    }
    if let folder = try folder(at: parent ?? ".") { try folder.sync() }
    return true
  }

  /// Refuses a folder that holds anything except the parts of an interrupted creation.
  private static func refuseOtherFiles(in directory: Directory) throws(HoldfastError) {
    for entry in try directory.entries() {
      let isOurs =
        switch (entry.text, entry.kind) {
        case (Layout.lock, .regular), (Layout.newMarker, .regular),
          (Layout.catalog, .regular), (Layout.catalogJournal, .regular):
          true
        case (Layout.staging?, .directory), (Layout.trash?, .directory),
          (Layout.quarantine?, .directory), (RelativePath.root?, .directory):
          try directory.isBare(entry.text ?? "")
        default: false
        }
      guard isOurs else {
        throw HoldfastError(.notEmpty, operation: "make a library in", path: directory.file.path)
      }
    }
  }
}

extension Directory {
  /// Whether one of the library's folders has no file in it.
  func isBare(_ name: String) throws(HoldfastError) -> Bool {
    guard let folder = try existing(name) else { return true }
    for entry in try folder.entries() {
      guard name == RelativePath.root, entry.text == RelativePath.thumbnails,
        entry.kind == .directory,
        try folder.existing(RelativePath.thumbnails)?.entries().isEmpty ?? true
      else { return false }
    }
    return true
  }
}

extension SourcePath {
  /// The folder itself, or the nearest one above it that exists.
  fileprivate var nearestFolder: SourcePath {
    var path = self
    while !path.exists, path.folder != path { path = path.folder }
    return path
  }
}
