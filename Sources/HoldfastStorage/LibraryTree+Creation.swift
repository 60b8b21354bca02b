public import Foundation
internal import Glibc
internal import HoldfastModel

extension LibraryTree {
  /// Opens a library, and makes it first if there is none.
  ///
  /// The catalog comes first and the marker last: a creation that was interrupted left no
  /// library, and is taken up here. Two processes may create at once; one of them does.
  ///
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - makingParents: Whether the folders above may be made too. They may for the default
  ///     place; a named folder with no parent may be a disk that is not mounted.
  ///   - createCatalog: Makes the catalog, or finds it made, at the path it is given, and returns
  ///     the UUID in it. It is called under the writer lock.
  /// - Returns: The library, and whether it was made just now.
  /// - Throws: ``StorageError``: `parentMissing`, `notEmpty`, `notALibrary`, `newerFormat`, or
  ///   what the system says; and what `createCatalog` throws.
  public static func openOrCreate(
    at path: String, makingParents: Bool, createCatalog: (_ catalogPath: String) throws -> UUID
  ) throws -> (tree: LibraryTree, isNew: Bool) {
    if let tree = try open(at: path) { return (tree, false) }
    let isOurs = try makeFolder(at: path, makingParents: makingParents)
    guard let directory = try folder(at: path) else {
      throw StorageError(.missing, "open", path: path, errno: ENOENT)
    }
    do {
      return try create(in: directory, path: path, createCatalog)
    } catch {
      if isOurs { try? SystemCalls.unlink(Place(path), directory: true) }
      throw error
    }
  }

  /// Whether ``openOrCreate(at:makingParents:createCatalog:)`` would make a library. Nothing is
  /// written.
  ///
  /// - Parameters:
  ///   - path: The library's folder.
  ///   - makingParents: Whether the folders above might be made too.
  /// - Throws: ``StorageError`` where no library could be made or opened.
  public static func wouldCreate(at path: String, makingParents: Bool) throws(StorageError) -> Bool
  {
    if try open(at: path) != nil { return false }
    if let directory = try folder(at: path) {
      try refuseStrangers(in: directory)
    } else {
      try refuseMissingParent(of: path, makingParents: makingParents)
    }
    return true
  }

  private static func create(
    in directory: Directory, path: String, _ createCatalog: (String) throws -> UUID
  ) throws -> (tree: LibraryTree, isNew: Bool) {
    // Before the lock too: not even `.lock` may be left in someone's folder of other things.
    if try LibraryMarker.read(in: directory) == nil { try refuseStrangers(in: directory) }
    let lock = try WriterLock.acquire(in: directory)
    if let marker = try LibraryMarker.read(in: directory) {
      return (LibraryTree(path: path, marker: marker, directory: directory), false)
    }
    try refuseStrangers(in: directory)
    do {
      let marker = try fill(directory, under: lock, createCatalog)
      return (LibraryTree(path: path, marker: marker, directory: directory), true)
    } catch {
      empty(directory, under: lock)
      throw error
    }
  }

  /// Makes everything, the marker last.
  private static func fill(
    _ directory: Directory, under lock: borrowing WriterLock,
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
    let marker = LibraryMarker(uuid: try createCatalog(directory.place(Layout.catalog).path))
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
