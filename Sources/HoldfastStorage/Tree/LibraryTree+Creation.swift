public import Foundation
internal import Glibc
public import HoldfastModel

extension LibraryTree {
  /// Makes a library; one that is there already is opened and stays as it is.
  ///
  /// The catalog comes first and the marker last: a creation that was interrupted left no
  /// library, and is taken up here. Two processes may create at once; one of them does.
  ///
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - makingParents: Whether the folders above may be made too. They may for the default
  ///     place; a named folder with no parent may be a disk that is not mounted.
  ///   - isSharedDisk: Whether it may lie on a network filesystem, because only one computer will
  ///     write to it at a time.
  ///   - patience: How long whoever changes the library waits for the others.
  ///   - createCatalog: Makes the catalog, or finds it made, at the path it is given, and returns
  ///     the UUID in it. It is called under the writer lock.
  /// - Returns: The library, and whether it was made just now.
  /// - Throws: ``StorageError``: `parentMissing`, `notEmpty`, `notALibrary`, `newerFormat`,
  ///   `otherFilesystem`, `networkFilesystem`, or what the system says; `LockTimeout`; and what
  ///   `createCatalog` throws.
  public static func create(
    at path: String, makingParents: Bool, onSharedDisk isSharedDisk: Bool = false,
    patience: LockPatience = LockPatience(),
    createCatalog: (_ catalogPath: String) throws -> UUID
  ) throws -> (tree: LibraryTree, isNew: Bool) {
    if let tree = try existing(at: path, patience) { return (tree, false) }
    let isOurs = try makeFolder(at: path, makingParents: makingParents)
    guard let directory = try folder(at: path) else {
      throw StorageError(.missing, "open", path: path, errno: ENOENT)
    }
    do {
      return try create(
        in: directory, path: path, onSharedDisk: isSharedDisk, patience, createCatalog)
    } catch {
      if isOurs { try? SystemCalls.unlink(Place(path), directory: true) }
      throw error
    }
  }

  private static func create(
    in directory: Directory, path: String, onSharedDisk isSharedDisk: Bool,
    _ patience: LockPatience,
    _ createCatalog: (String) throws -> UUID
  ) throws -> (tree: LibraryTree, isNew: Bool) {
    // Before the lock too: not even `.lock` may be left in a folder that is refused.
    if try LibraryMarker.read(in: directory) == nil {
      try refuseStrangers(in: directory)
      try directory.refuseOtherFilesystems()
      if !isSharedDisk { try directory.refuseNetwork() }
    }
    let lock = try WriterLock.acquire(in: directory, patience)
    if let marker = try LibraryMarker.read(in: directory) {
      return (
        LibraryTree(path: path, marker: marker, directory: directory, patience: patience), false
      )
    }
    try refuseStrangers(in: directory)
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

  /// Makes everything, the marker last.
  private static func fill(
    _ directory: Directory, under lock: borrowing WriterLock, onSharedDisk isSharedDisk: Bool,
    _ createCatalog: (String) throws -> UUID
  ) throws -> LibraryMarker {
    try SystemCalls.setMode(0o700, of: directory.file)
    _ = try directory.making(RelativePath.root).making(RelativePath.thumbnails)
    _ = try directory.making(Layout.staging)
    _ = try directory.making(Layout.trash)
    // SQLite gives its journal the mode of the database: made here, both are private.
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

  /// Takes back what a failed creation made, as far as the system lets it.
  ///
  /// A catalog that something was written to stays, and the next creation goes on from it.
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
}
