internal import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

/// A library of recordings: its files, its catalog, and the engine that reads and makes media
/// files.
public final class Library: Sendable {
  /// The purpose for which a library is opened.
  public enum Access: Sendable {
    /// For reading. Nothing is written, except to migrate the catalog of an older Holdfast.
    case reading
    /// For a dry run. Nothing at all is written.
    case planning
    /// For changing recordings and entries. Opening first recovers from a crash.
    case writing
  }

  /// The library's folder.
  public let path: String
  let access: Access
  /// Whether opening finished or undid something that a crash had interrupted.
  public let hasRecovered: Bool
  /// Problems that opening could not solve and will retry, work of another computer that it found,
  /// and what a person should know about a migration.
  public let warnings: [LibraryError]
  /// The library's files.
  let tree: LibraryTree
  let catalog: Catalog
  let engine: (any MediaEngine)?

  init(
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

  /// Creates a library. A library that exists already is left unchanged.
  ///
  /// If an earlier creation was interrupted, it is continued.
  ///
  /// - Parameters:
  ///   - location: The library's folder. It must be new or empty.
  ///   - patience: How long to wait for another process that is making the same library.
  ///   - isSharedDisk: Whether the library may be on a network filesystem. Then only one computer
  ///     may write to it at a time. For a library that exists already, see
  ///     ``allowSharedDisk(at:)``.
  /// - Returns: Whether the library was made by this call.
  /// - Throws: ``LibraryError`` when the folder holds other things, or the system refuses.
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

  /// Opens a library that ``create(at:onSharedDisk:patience:)`` has made.
  ///
  /// - Parameters:
  ///   - location: The library's folder.
  ///   - access: The purpose for which it is opened.
  ///   - engine: The engine that reads and makes media files; `nil` if none is read or made.
  ///   - journals: The journals that the program knows. A library with others can only be read:
  ///     writing could lose their records.
  ///   - patience: How long steps that write wait while another command, or another part of this
  ///     program, is writing. Reading waits in two cases only: while another command has the
  ///     catalog to itself, and when the catalog of an older Holdfast must be migrated.
  /// - Throws: ``LibraryError``: with the code `noLibrary` if there is none, and with the code
  ///   `locked` if another program wrote for too long.
  public static func open(
    at location: LibraryLocation, for access: Access, engine: (any MediaEngine)? = nil,
    journals: [Journal] = [], patience: LockPatience = LockPatience()
  ) throws -> Library {
    try LibraryError.translating(at: location) {
      let tree = try LibraryTree.open(at: location.absolutePath, patience: patience)
      return access == .writing
        ? try openForWriting(tree, engine, journals)
        : try openForReading(tree, access, engine, journals)
    }
  }

  private static func openForReading(
    _ tree: LibraryTree, _ access: Access, _ engine: (any MediaEngine)?, _ journals: [Journal]
  ) throws -> Library {
    try tree.refuseJournalInBackup()
    var (catalog, warnings) = try catalogForReading(
      of: tree, journals, mayMigrate: access == .reading)
    try verify(catalog, belongsTo: tree)
    let unknown = try catalog.unknownJournals()
    if !unknown.isEmpty { warnings.append(.unknownJournal(unknown, in: tree)) }
    return Library(
      access: access, warnings: warnings, tree: tree, catalog: catalog, engine: engine)
  }

  /// Opens the catalog, and first migrates one that an older Holdfast made. A user who only wants
  /// to read need not know about migration.
  ///
  /// - Returns: The catalog, and what that person should know about the migration.
  private static func catalogForReading(
    of tree: LibraryTree, _ journals: [Journal], mayMigrate: Bool
  ) throws -> (Catalog, [LibraryError]) {
    func open() throws -> Catalog {
      try Catalog(
        path: tree.catalogPath, access: .reading, journals: journals,
        waiting: CatalogWait(for: tree, to: "to read the catalog"))
    }
    guard mayMigrate else { return (try open(), []) }
    do { return (try open(), []) } catch CatalogError.Code.needsMigration {
      let migrated = try openForWriting(
        tree, nil, journals, tree.patience.waiting("to bring the catalog up to date"))
      return (try open(), migrated.warnings.filter { $0.code == .timeZoneAssumed })
    }
  }

  private static func openForWriting(
    _ tree: LibraryTree, _ engine: (any MediaEngine)?, _ journals: [Journal],
    _ patience: LockPatience? = nil
  ) throws -> Library {
    // First, because files cannot be moved across filesystems, and recovery moves files too.
    try tree.refuseOtherFilesystems()
    try tree.refuseUnpromisedNetwork()
    var hasRecovered = false
    // Recovery may run several times. `unrepaired` is what the last run left, `others` what all runs
    // found.
    var (unrepaired, others): ([LibraryError], [LibraryError]) = ([], [])
    var givesTimeZones = false
    let hashes = RecoveryHashes()
    // The catalog is opened under the lock too. So commands that write queue for the lock, and none
    // gives up waiting in SQLite.
    let catalog = try hashes.whileRecovering(in: tree, patience: patience) { lock in
      let catalog = try Catalog(
        path: tree.catalogPath, access: .writing, journals: journals,
        waiting: CatalogWait(for: tree, to: "to change the catalog"))
      // First, because another library's catalog must not even be migrated.
      try verify(catalog, belongsTo: tree)
      if try catalog.migrateIfNeeded() { givesTimeZones = true }
      unrepaired = []
      do {
        if let id = try catalog.erasure() {
          try finishErasure(id, of: tree, catalog, under: lock)
          hasRecovered = true
        }
        // A large catalog waits for ``compact(_:)``, so that no other command has to wait for its
        // compaction.
        _ = try catalog.compactIfSmall()
      } catch {
        // Go on: deleted rows stay deleted, and an entry that is to be logged now must not be lost.
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
      warnings: unrepaired + others + (givesTimeZones ? [.timeZoneAssumed()] : []), tree: tree,
      catalog: catalog, engine: engine)
  }

  /// Recovers from operations that were interrupted. Returns `nil`, and does nothing, during an
  /// erase.
  @discardableResult
  static func recover(
    _ tree: LibraryTree, _ catalog: Catalog, _ hashes: RecoveryHashes,
    under lock: borrowing WriterLock
  ) throws -> RecoveryReport? {
    // Recovery would bring back what the erase has set aside.
    guard try catalog.erasure() == nil else { return nil }
    return try tree.recover(
      under: lock, rows: LibraryRows(tree: tree, catalog: catalog, hashes: hashes))
  }

  /// Refuses another library's catalog, so that no step destroys anything because of it.
  private static func verify(_ catalog: Catalog, belongsTo tree: LibraryTree) throws {
    guard try catalog.libraryUUID() == tree.marker.uuid else {
      throw LibraryError(
        .foreignCatalog,
        "\(tree.catalogPath.escapedForDisplay) belongs to another library than holdfast.json "
          + "beside it; restore the right one from a backup")
    }
  }

  /// Returns the engine, for an operation that reads or makes media.
  func mediaEngine() throws(LibraryError) -> any MediaEngine {
    guard let engine else {
      throw LibraryError(
        .noEngine,
        "the library in \(path.escapedForDisplay) was opened without a media engine; "
          + "open it with one to import")
    }
    return engine
  }

  /// Returns the library's files, for an operation that writes.
  func writableTree() throws(LibraryError) -> LibraryTree {
    guard access == .writing else {
      throw LibraryError(
        .readOnly, "the library in \(path.escapedForDisplay) was opened for reading only")
    }
    return tree
  }
}

extension LibraryError {
  /// Makes the warning that nothing can be written.
  fileprivate static func unknownJournal(
    _ journals: [String], in tree: LibraryTree
  ) -> LibraryError {
    let names = journals.map { "\"\($0.cut(to: 40).escapedForDisplay)\"" }.joined(separator: ", ")
    return LibraryError(
      .unknownJournal,
      "the library in \(tree.path.escapedForDisplay) has a journal that this program does not know "
        + "(\(names)), so it is opened for reading only", path: tree.path)
  }

  /// Makes the warning that entries were given this machine's time zone.
  fileprivate static func timeZoneAssumed() -> LibraryError {
    LibraryError(
      .timeZoneAssumed,
      "the cravings and usage that were logged before now have this machine's time zone "
        + "(\(TimeZone.current.identifier)), because an older version did not store one")
  }
}
