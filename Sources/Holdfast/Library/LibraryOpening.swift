import Foundation
import Glibc
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

struct LibraryOpening {
  let tree: LibraryTree
  let engine: (any MediaEngine)?
  let journals: [Journal]

  /// Opens the library. For writing, it first recovers from a crash.
  func run(for access: Library.Access) throws -> Library {
    if access == .writing { return try openForWriting() }
    try tree.refuseJournalInBackup()
    var (catalog, warnings) = try catalogForReading(mayMigrate: access == .reading)
    try refuseForeign(catalog)
    let unknown = try catalog.journals.unknown()
    if !unknown.isEmpty { warnings.append(.unknownJournal(unknown, in: tree)) }
    return Library(
      access: access, warnings: warnings, tree: tree, catalog: catalog, engine: engine)
  }

  /// Opens the catalog, and first migrates one that an older Holdfast made. A user who only wants
  /// to read need not know about migration.
  private func catalogForReading(mayMigrate: Bool) throws -> (Catalog, [HoldfastError]) {
    func open() throws -> Catalog { try self.open(for: .reading, to: "to read the catalog") }
    guard mayMigrate else { return (try open(), []) }
    do { return (try open(), []) } catch HoldfastError.Code.needsMigration {
      let migrated = try LibraryOpening(tree: tree, engine: nil, journals: journals)
        .openForWriting(tree.patience.waiting("to bring the catalog up to date"))
      return (try open(), migrated.warnings.filter { $0.code == .timeZoneAssumed })
    }
  }

  private func open(
    for access: Catalog.Access, to purpose: String
  ) throws(HoldfastError) -> Catalog {
    try Catalog(
      path: tree.catalogFile.path, access: access, journals: journals,
      waiting: CatalogWait(for: tree, to: purpose),
      removedWords: { [file = tree.wordIndexFile] in try? file.remove() })
  }

  private func openForWriting(_ patience: LockTimeoutPolicy? = nil) throws -> Library {
    // First, because files cannot be moved across filesystems, and recovery moves files too.
    try tree.refuseOtherFilesystems()
    try tree.refuseUnpromisedNetwork()
    var hasRecovered = false
    // Recovery may run several times. `unrepaired` is what the last run left, `others` what all
    // runs found.
    var (unrepaired, others): ([HoldfastError], [HoldfastError]) = ([], [])
    var givesTimeZones = false
    let hashes = RecoveryHashes()
    // The catalog is opened under the lock too. So commands that write queue for the lock, and none
    // gives up waiting in SQLite.
    let catalog = try hashes.whileRecovering(in: tree, patience: patience) { lock in
      let catalog = try open(for: .writing, to: "to change the catalog")
      // First, because another library's catalog must not even be migrated.
      try refuseForeign(catalog)
      if try catalog.migrateIfNeeded() { givesTimeZones = true }
      unrepaired = []
      do {
        if let id = try catalog.erasure.current() {
          try LibraryErasure(tree: tree, catalog: catalog).finish(id, under: lock)
          hasRecovered = true
        }
        // A large catalog waits for ``compact(_:)``, so that no other command has to wait for its
        // compaction.
        _ = try catalog.compaction.runIfSmall()
      } catch {
        // Go on: deleted rows stay deleted, and an entry that is to be logged now must not be lost.
        unrepaired.append(
          HoldfastError(
            .deletedTextLeft,
            "what was deleted may still be found in the library's folder: \(error)",
            path: tree.path, cause: (error as? HoldfastError).map { .error($0) }))
      }
      // A crash may have left words that were removed.
      try? SpokenIndex(tree: tree, catalog: catalog).removeIfStale()
      let recovery = LibraryRecovery(tree: tree, catalog: catalog, hashes: hashes)
      guard let report = try recovery.run(under: lock) else { return catalog }
      hasRecovered = hasRecovered || !report.isEmpty
      if report.isPutOff {
        unrepaired.append(
          HoldfastError(
            .recoveryPutOff,
            "what an interrupted command left is not repaired yet: "
              + OfflineCheck(tree: tree, catalog: catalog).reason,
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

  /// Refuses another library's catalog, so that no step destroys anything because of it.
  private func refuseForeign(_ catalog: Catalog) throws {
    guard try catalog.libraryUUID() == tree.marker.uuid else {
      throw HoldfastError(
        .foreignCatalog,
        "\(tree.catalogFile.path.escapedForDisplay) belongs to another library than holdfast.json "
          + "beside it")
    }
  }

  /// Returns a warning for each kind of other computers' work that recovery found.
  private func othersWork(in report: RecoveryReport) -> [HoldfastError] {
    var parts: [HoldfastError] = []
    if let quarantine = report.quarantine {
      parts.append(
        HoldfastError(
          .otherComputersWork,
          "work that another computer had not touched for a day is in "
            + ".quarantine/\(quarantine) now",
          path: ".quarantine/\(quarantine)"))
    }
    if let first = report.others.first {
      let more = report.others.count - 1
      parts.append(
        HoldfastError(
          .otherComputer,
          "another computer may be at work in \(first.path)"
            + (more > 0 ? " and \(more) more" : "")
            + ", which is left alone until nothing in it has changed for a day", path: first.path))
    }
    return parts
  }
}

extension HoldfastError {
  /// Makes the warning that nothing can be written.
  fileprivate static func unknownJournal(
    _ journals: [String], in tree: LibraryTree
  ) -> HoldfastError {
    let names = journals.map { "\"\($0.cut(to: 40).escapedForDisplay)\"" }.joined(separator: ", ")
    return HoldfastError(
      .unknownJournal,
      "the library in \(tree.path.escapedForDisplay) has a journal that this program does not know "
        + "(\(names)), so it is opened for reading only", path: tree.path)
  }

  fileprivate static func timeZoneAssumed() -> HoldfastError {
    HoldfastError(
      .timeZoneAssumed,
      "the cravings and usage that were logged before now have this machine's time zone "
        + "(\(TimeZone.current.identifier)), because an older version did not store one")
  }
}

extension CatalogWait {
  /// Makes a wait that lasts while a command seems to be writing to the library, but no longer than
  /// the tree's patience for the writer lock.
  ///
  /// - Parameter purpose: The purpose of the wait, such as "to read the catalog".
  init(for tree: LibraryTree, to purpose: String) {
    /// Returns who holds the writer lock. If that is this process, another program has the catalog.
    @Sendable func holder() -> LockHolder? {
      tree.lockHolder.flatMap { $0.processID == getpid() ? nil : $0 }
    }
    self.init(seconds: tree.patience.seconds) {
      tree.isBeingWritten
    } notice: {
      tree.patience.notice(
        LockWait(library: tree.path, holder: holder(), purpose: purpose))
    } failure: { seconds in
      holder().map {
        LockTimeout(library: tree.path, seconds: seconds, holder: $0).clause
      }
    }
  }
}
