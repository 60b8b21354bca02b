internal import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

/// A library of recordings: its files, its catalog, and the engine that makes the one fit the
/// other.
public final class Library: Sendable {
  /// What a library is opened for.
  public enum Access: Sendable {
    /// Nothing is written; a folder without a library is an empty one.
    case reading
    /// As for reading; but a place where no library could be made is refused as for writing, so
    /// that a dry run does not promise what cannot be.
    case planning
    /// The library is made if there is none, and what a crash left is put right.
    case writing
    /// As for writing, but there must be a library: something that is in it is to be changed.
    case changing
  }

  /// The library's folder.
  public let path: String
  private let access: Access
  /// Whether the library was made just now, or, when it was opened for planning, would be.
  public let isNew: Bool
  /// Whether opening put right what a crash had left.
  public let hasRecovered: Bool
  /// What opening could not put right and will try again, in one sentence; `nil` for nothing.
  public let trouble: String?
  /// The library's files; `nil` for reading where there is no library.
  let tree: LibraryTree?
  let catalog: Catalog
  private let engine: (any MediaEngine)?

  private init(
    path: String, access: Access, isNew: Bool, hasRecovered: Bool, trouble: String? = nil,
    tree: LibraryTree?, catalog: Catalog, engine: (any MediaEngine)?
  ) {
    self.path = path
    self.access = access
    self.isNew = isNew
    self.hasRecovered = hasRecovered
    self.trouble = trouble
    self.tree = tree
    self.catalog = catalog
    self.engine = engine
  }

  /// Opens a library.
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - access: What it is opened for.
  ///   - engine: What media files are read and made with; `nil` for a library whose media are
  ///     neither read nor made.
  /// - Throws: ``StorageError``, ``CatalogError`` or ``LibraryError``, each one sentence.
  public static func open(
    at location: LibraryLocation, for access: Access, engine: (any MediaEngine)? = nil
  ) throws -> Library {
    // SQLite would take a path that begins with "file:" for a URI.
    let path =
      location.path.hasPrefix("/")
      ? location.path : FileManager.default.currentDirectoryPath + "/" + location.path
    switch access {
    case .reading: return try openForReading(path, isNew: false, engine)
    case .planning:
      let isNew = try LibraryTree.wouldCreate(at: path, makingParents: location.mayMakeParents)
      return try openForReading(path, isNew: isNew, mayMigrate: false, engine)
    case .writing: return try openForWriting(path, location.mayMakeParents, engine)
    case .changing:
      guard let tree = try LibraryTree.open(at: path) else {
        throw LibraryError(
          .noPlace, "there is no library in \(path.escapedForDisplay); name another with --library")
      }
      return try openForWriting(tree, isNew: false, engine)
    }
  }

  private static func openForReading(
    _ path: String, isNew: Bool, mayMigrate: Bool = true, _ engine: (any MediaEngine)?
  ) throws -> Library {
    let tree = try LibraryTree.open(at: path)
    let catalog: Catalog
    if let tree {
      catalog = try catalogForReading(of: tree, mayMigrate: mayMigrate)
      try verify(catalog, belongsTo: tree)
    } else {
      catalog = try Catalog.inMemory()
    }
    return Library(
      path: path, access: .reading, isNew: isNew, hasRecovered: false, tree: tree, catalog: catalog,
      engine: engine)
  }

  /// A catalog that an older Holdfast made is brought up to date first: a person who only wants to
  /// look need not know.
  private static func catalogForReading(of tree: LibraryTree, mayMigrate: Bool) throws -> Catalog {
    guard mayMigrate else { return try Catalog(path: tree.catalogPath, access: .reading) }
    do {
      return try Catalog(path: tree.catalogPath, access: .reading)
    } catch CatalogError.Code.needsMigration {
      _ = try openForWriting(tree, isNew: false, nil)
      return try Catalog(path: tree.catalogPath, access: .reading)
    }
  }

  private static func openForWriting(
    _ path: String, _ mayMakeParents: Bool, _ engine: (any MediaEngine)?
  ) throws -> Library {
    let (tree, isNew) = try LibraryTree.openOrCreate(at: path, makingParents: mayMakeParents) {
      try Catalog.create(at: $0)
    }
    return try openForWriting(tree, isNew: isNew, engine)
  }

  private static func openForWriting(
    _ tree: LibraryTree, isNew: Bool, _ engine: (any MediaEngine)?
  ) throws -> Library {
    let catalog = try Catalog(path: tree.catalogPath, access: .writing)
    var hasRecovered = false
    var trouble: String?
    try tree.withWriterLock { lock in
      // First: another library's catalog is not even migrated.
      try verify(catalog, belongsTo: tree)
      try catalog.migrateIfNeeded()
      do {
        if try catalog.erasure() != nil {
          try finishErasure(of: tree, catalog, under: lock)
          hasRecovered = true
        }
        if try catalog.isCompactionDue() { try catalog.compact() }
      } catch {
        // What is deleted stays deleted, and what is logged now is not lost for it.
        trouble = "what was deleted may still be found in the library's folder: \(error)"
      }
      guard let report = try recover(tree, catalog, under: lock) else { return }
      hasRecovered = hasRecovered || !report.isEmpty
      if report.isPutOff {
        trouble =
          "what an interrupted command left is not put right yet: \(offlineReason(tree))"
      }
    }
    return Library(
      path: tree.path, access: .writing, isNew: isNew, hasRecovered: hasRecovered,
      trouble: trouble, tree: tree, catalog: catalog, engine: engine)
  }

  /// Puts right what operations that died have left; not (`nil`) while an erasure is under way.
  @discardableResult
  static func recover(
    _ tree: LibraryTree, _ catalog: Catalog, under lock: borrowing WriterLock
  ) throws -> RecoveryReport? {
    // Recovery would take what an erasure has set aside for something that was lost.
    guard try catalog.erasure() == nil else { return nil }
    return try tree.recover(under: lock) {
      try isOffline(tree, catalog)
    } settling: { file in
      try settle(file, in: tree, catalog)
    } hasRow: {
      try catalog.hasRecording(id: $0)
    }
  }

  /// Sets the row of a file that was made anew, if that file was published before a crash came
  /// between it and its row.
  private static func settle(
    _ remade: RemadeFile, in tree: LibraryTree, _ catalog: Catalog
  ) throws {
    // One that cannot be read keeps nobody from writing to the library: verification will tell.
    guard let id = remade.path.recordingID, try catalog.hasRecording(id: id),
      case .regular(let size)? = try? tree.status(of: remade.path),
      (try? tree.openForReading(remade.path).sha256(until: StopFlag())) == remade.hash
    else { return }
    if remade.path == .thumbnail(id: id) {
      let record = remade.note.flatMap {
        try? JSONFormat.decoder.decode(ThumbnailRecord.self, from: Data($0.utf8))
      }
      try catalog.setThumbnails([RemadeThumbnail(id: id, hash: remade.hash, record: record)])
    } else {
      try catalog.setFile(remade.hash, size: size, of: id)
    }
  }

  /// No step that destroys anything is taken with another library's catalog.
  private static func verify(_ catalog: Catalog, belongsTo tree: LibraryTree) throws {
    guard try catalog.libraryUUID() == tree.marker.uuid else {
      throw LibraryError(
        .foreignCatalog,
        "\(tree.catalogPath.escapedForDisplay) belongs to another library than holdfast.json "
          + "beside it; put the right one back from a backup")
    }
  }

  /// Whether there is a library, and not only a place for one.
  public var isThere: Bool { tree != nil }

  /// Whether this error says that the library can only be read: its disk, or it, is another's.
  public func isReadOnly(_ error: any Error) -> Bool {
    (error as? StorageError)?.isForWantOfRights ?? false
  }

  /// The engine, for an operation that reads or makes media.
  func mediaEngine() throws(LibraryError) -> any MediaEngine {
    guard let engine else {
      throw LibraryError(
        .noEngine,
        "the library in \(path.escapedForDisplay) was opened without a media engine; "
          + "open it with one to import")
    }
    return engine
  }

  /// The library's files, for an operation that writes.
  func writableTree() throws(LibraryError) -> LibraryTree {
    guard let tree, access == .writing else {
      throw LibraryError(
        .readOnly, "the library in \(path.escapedForDisplay) was opened for reading only")
    }
    return tree
  }
}
