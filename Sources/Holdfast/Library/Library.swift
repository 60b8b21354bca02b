internal import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

/// A library of recordings: its files, its catalog, and the engine that makes the one fit the
/// other.
public final class Library: Sendable {
  /// What a library is opened for.
  public enum Access: Sendable {
    /// Nothing is written, but that an older catalog is brought up to date.
    case reading
    /// Nothing at all is written: for a dry run.
    case planning
    /// Recordings and entries are changed; what a crash left is put right first.
    case writing
  }

  /// The library's folder.
  public let path: String
  private let access: Access
  /// Whether opening put right what a crash had left.
  public let hasRecovered: Bool
  /// What opening could not repair and will try again, and what it found of another computer's work.
  public let warnings: [LibraryError]
  /// The library's files.
  let tree: LibraryTree
  let catalog: Catalog
  private let engine: (any MediaEngine)?

  private init(
    access: Access, hasRecovered: Bool = false, warnings: [LibraryError] = [],
    tree: LibraryTree, catalog: Catalog, engine: (any MediaEngine)?
  ) {
    self.path = tree.path
    self.access = access
    self.hasRecovered = hasRecovered
    self.warnings = warnings
    self.tree = tree
    self.catalog = catalog
    self.engine = engine
  }

  /// Makes a library where there is none; one that is there already stays as it is.
  ///
  /// A creation that was interrupted is taken up.
  ///
  /// - Parameters:
  ///   - location: Where it is to be: a new folder, or an empty one.
  ///   - patience: How long to wait for another that makes the same library.
  ///   - isSharedDisk: Whether it may lie on a network filesystem; then only one computer may write to
  ///     it at a time. For a library that is there already, see ``allowSharedDisk(at:)``.
  /// - Returns: Whether it was made now.
  /// - Throws: ``StorageError``, ``CatalogError``, `LockTimeout` or ``LibraryError``, each one sentence.
  @discardableResult
  public static func create(
    at location: LibraryLocation, onSharedDisk isSharedDisk: Bool = false,
    patience: LockPatience = LockPatience()
  ) throws -> Bool {
    try LibraryError.translating(at: location) {
      try LibraryTree.create(
        at: location.absolutePath, makingParents: location.mayMakeParents,
        onSharedDisk: isSharedDisk, patience: patience,
        createCatalog: Catalog.create
      ).isNew
    }
  }

  /// Opens a library, which ``create(at:onSharedDisk:)`` has made.
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - access: What it is opened for.
  ///   - engine: What media files are read and made with; `nil` for a library whose media are
  ///     neither read nor made.
  ///   - patience: How long steps that write wait while another command, or another part of this
  ///     program, is writing. Reading waits for nobody, except while another command has the catalog to
  ///     itself, and where the catalog of an older Holdfast must be brought up to date.
  /// - Throws: ``LibraryError`` with the code `noLibrary` if there is none; ``StorageError``,
  ///   ``CatalogError``, `LockTimeout` or another ``LibraryError``, each one sentence.
  public static func open(
    at location: LibraryLocation, for access: Access, engine: (any MediaEngine)? = nil,
    patience: LockPatience = LockPatience()
  ) throws -> Library {
    try LibraryError.translating(at: location) {
      let tree = try LibraryTree.open(at: location.absolutePath, patience: patience)
      return access == .writing
        ? try openForWriting(tree, engine) : try openForReading(tree, access, engine)
    }
  }

  private static func openForReading(
    _ tree: LibraryTree, _ access: Access, _ engine: (any MediaEngine)?
  ) throws -> Library {
    let catalog = try catalogForReading(of: tree, mayMigrate: access == .reading)
    try verify(catalog, belongsTo: tree)
    return Library(access: access, tree: tree, catalog: catalog, engine: engine)
  }

  /// A catalog that an older Holdfast made is brought up to date first: a person who only wants to
  /// look need not know.
  private static func catalogForReading(of tree: LibraryTree, mayMigrate: Bool) throws -> Catalog {
    func open() throws -> Catalog {
      try Catalog(path: tree.catalogPath, access: .reading, waiting: CatalogWait(for: tree))
    }
    guard mayMigrate else { return try open() }
    do { return try open() } catch CatalogError.Code.needsMigration {
      _ = try openForWriting(tree, nil, tree.patience.waiting("to bring the catalog up to date"))
      return try open()
    }
  }

  private static func openForWriting(
    _ tree: LibraryTree, _ engine: (any MediaEngine)?, _ patience: LockPatience? = nil
  ) throws -> Library {
    // First: nothing can be moved across filesystems, by recovery either.
    try tree.refuseOtherFilesystems()
    try tree.refuseUnpromisedNetwork()
    var hasRecovered = false
    // What is not put right yet is known in the last round; what others did, each round may find.
    var (unrepaired, others): ([LibraryError], [LibraryError]) = ([], [])
    let hashes = RecoveryHashes()
    // Opened under the lock as well: whoever writes queues there, and nobody gives up in SQLite.
    let catalog = try hashes.whileRecovering(in: tree, patience: patience) { lock in
      let catalog = try Catalog(
        path: tree.catalogPath, access: .writing, waiting: CatalogWait(for: tree))
      // First: another library's catalog is not even migrated.
      try verify(catalog, belongsTo: tree)
      try catalog.migrateIfNeeded()
      unrepaired = []
      do {
        if let id = try catalog.erasure() {
          try finishErasure(id, of: tree, catalog, under: lock)
          hasRecovered = true
        }
        // A large catalog waits for ``compact(_:)``: no other command should have to wait for it.
        _ = try catalog.compactIfSmall()
      } catch {
        // What is deleted stays deleted, and what is logged now is not lost for it.
        unrepaired.append(
          LibraryError(
            .deletedTextLeft,
            "what was deleted may still be found in the library's folder: \(error)",
            path: tree.path, underlying: error))
      }
      guard let report = try recover(tree, catalog, hashes, under: lock) else { return catalog }
      hasRecovered = hasRecovered || !report.isEmpty
      if report.isPutOff {
        unrepaired.append(
          LibraryError(
            .recoveryPutOff,
            "what an interrupted command left is not repaired yet: \(offlineReason(tree))",
            path: tree.path))
      }
      others += othersWork(in: report).filter { !others.contains($0) }
      return catalog
    } then: {
      $1
    }
    return Library(
      access: .writing, hasRecovered: hasRecovered,
      warnings: unrepaired + others, tree: tree, catalog: catalog, engine: engine)
  }

  /// Puts right what operations that died have left; not (`nil`) while an erasure is under way.
  @discardableResult
  static func recover(
    _ tree: LibraryTree, _ catalog: Catalog, _ hashes: RecoveryHashes,
    under lock: borrowing WriterLock
  ) throws -> RecoveryReport? {
    // Recovery would take what an erasure has set aside for something that was lost.
    guard try catalog.erasure() == nil else { return nil }
    return try tree.recover(under: lock) {
      try isOffline(tree, catalog)
    } hash: {
      try hashes.hash(of: $0)
    } settling: {
      try settle($0, in: tree, catalog, hashes)
    } hasRow: {
      try catalog.hasRecording(id: $0)
    }
  }

  /// Sets the row of a file that was made again, if that file was published before a crash came
  /// between it and its row.
  ///
  /// - Returns: Whether this is settled, and not put off until the file's hash is known.
  private static func settle(
    _ remade: RemadeFile, in tree: LibraryTree, _ catalog: Catalog, _ hashes: RecoveryHashes
  ) throws -> Bool {
    // One that cannot be read keeps nobody from writing to the library: verification will tell.
    guard let id = remade.path.recordingID, try catalog.hasRecording(id: id),
      let file = try? tree.openForReading(remade.path), let size = try? file.identity().size,
      let hash = try? hashes.hash(of: file)
    else { return true }
    if hash == .notRead { return false }
    guard hash == .hash(remade.hash) else { return true }
    if remade.path == .thumbnail(id: id) {
      let record = remade.note.flatMap {
        try? JSONFormat.decoder.decode(ThumbnailRecord.self, from: Data($0.utf8))
      }
      try catalog.setThumbnails([RemadeThumbnail(id: id, hash: remade.hash, record: record)])
    } else {
      try catalog.setFile(remade.hash, size: size, of: id)
    }
    return true
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
    guard access == .writing else {
      throw LibraryError(
        .readOnly, "the library in \(path.escapedForDisplay) was opened for reading only")
    }
    return tree
  }
}
