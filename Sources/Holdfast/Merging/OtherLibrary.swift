import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// A library that is merged into another one: a copy of its catalog, and its files. It is only
/// read, unless its files are removed.
struct OtherLibrary: Sendable {
  /// The path at which it was opened.
  let path: String
  /// A copy of its catalog, with that of the library that it is merged into.
  let catalogs: CatalogMerge
  let files: OtherFiles

  private static let copyName = "catalog"

  /// Opens the library, or the backup, at a path.
  ///
  /// - Parameter staging: The folder for the copy of its catalog; `nil` to keep the copy in memory.
  init(at path: String, for library: Library, in staging: Staging?, until stop: StopFlag) throws {
    self.path = path
    let copy = try staging.map { staging in
      _ = try staging.createFile(named: Self.copyName)
      return staging.path(of: Self.copyName)
    }
    if let tree = try Self.tree(at: path, library.tree.patience), tree.bag == nil {
      files = .library(tree)
      guard try !files.isFolder(of: library.tree, with: staging) else {
        throw HoldfastError(.invalidValue, "it is this library", operation: "merge", path: path)
      }
      try tree.refuseJournalInBackup()
      catalogs = try Self.holdingLock(of: tree, until: stop) {
        try Self.copy(tree.catalogFile.path, to: copy, in: library)
      }
      guard try catalogs.other.libraryUUID() == tree.marker.uuid else {
        throw HoldfastError(
          .foreignCatalog,
          "\(tree.catalogFile.path.escapedForDisplay) belongs to another library than "
            + "holdfast.json beside it")
      }
    } else {
      let bag = try Backups(in: path).bag(.newest)
      files = .backup(bag)
      catalogs = try Self.catalogs(of: bag, to: copy, in: library, until: stop)
    }
  }

  private static func copy(
    _ path: String, to copy: String?, in library: Library
  ) throws -> CatalogMerge {
    do {
      return try CatalogMerge(into: library.catalog, copying: path, to: copy)
    } catch {
      guard error.code == .full, copy != nil else { throw error }
      throw HoldfastError(
        .noSpace,
        "the disk of \(library.tree.path.escapedForDisplay) is full",
        path: library.tree.path)
    }
  }

  private static func tree(at path: String, _ patience: LockTimeoutPolicy) throws -> LibraryTree? {
    do throws(HoldfastError) {
      return try LibraryTree.open(at: path, patience: patience)
    } catch let error where error.code == .noLibrary {
      return nil
    }
  }

  /// Runs `body` while no program changes the other library. If its lock cannot be taken, the
  /// library can only be read or is in a damaged backup, so no program changes it.
  private static func holdingLock<Value>(
    of tree: LibraryTree, until stop: StopFlag, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try tree.withWriterLock(until: stop) { _ in try body() }
    } catch let error as HoldfastError
      where error.isPermissionDenied || error.code == .insideBag
    {
      return try body()
    }
  }

  /// Opens a copy of a backup's catalog, if it is as it was backed up.
  private static func catalogs(
    of bag: Bag, to copy: String?, in library: Library, until stop: StopFlag
  ) throws -> CatalogMerge {
    let file = try bag.open(Bag.catalog)
    guard try bag.manifest().hash(of: Bag.catalog.utf8) == file.sha256(until: stop) else {
      throw HoldfastError(
        .unusableBackup,
        "the catalog of the backup \(bag.name.escapedForDisplay) is not the one that was backed up",
        path: bag.path)
    }
    guard try !bag.hasJournal() else { throw HoldfastError.strayJournal(bag.name, bag.path) }
    return try CatalogMerge(into: library.catalog, copying: file.path, to: copy)
  }
}

extension LibraryTree {
  /// Refuses the library in a backup if a journal is beside its catalog. SQLite would roll it back,
  /// and an untrusted backup could have made it up.
  func refuseJournalInBackup() throws {
    guard isInBackup, try catalogFile.hasJournal() else { return }
    throw HoldfastError.strayJournal(bag?.name ?? path, bag?.path ?? path)
  }
}

extension HoldfastError {
  fileprivate static func strayJournal(_ name: String, _ path: String) -> HoldfastError {
    HoldfastError(
      .unusableBackup,
      "a journal that was not backed up is beside the catalog of the backup "
        + name.escapedForDisplay, operation: "open beside the catalog", path: path)
  }
}
