import Foundation
import Glibc
package import HoldfastModel
import Synchronization

/// A library's catalog file, with the files that SQLite keeps beside it.
package struct CatalogFile: Sendable {
  /// The files as they were at one moment, so that a change can be noticed.
  package struct Identity: Hashable, Sendable {
    fileprivate var identities: [String: FileIdentity] = [:]
  }

  let library: Directory

  package var path: String { library.place(Layout.catalog).path }

  /// Returns the size of the catalog's file in bytes, and whether its rollback journal is beside
  /// it.
  ///
  /// Unless the caller holds the writer lock, a journal can appear for a moment while a command
  /// writes.
  package func status() throws(HoldfastError) -> (size: Int64, hasJournal: Bool) {
    let size = try SystemCalls.identity(of: library.place(Layout.catalog))?.size ?? 0
    let journal = try SystemCalls.identity(of: library.place(Layout.catalogJournal))
    return (size, journal != nil)
  }

  /// Returns whether one of SQLite's files is beside the catalog: a writer's, unless the library is
  /// in a backup.
  package func hasJournal() throws(HoldfastError) -> Bool {
    try FolderFiles(library).hasJournal(beside: Layout.catalog)
  }

  /// Copies the catalog, and the files that SQLite keeps beside it, into staging.
  ///
  /// - Returns: The copy's path, `nil` if the catalog is missing or is not a file; and the files
  ///   that were copied.
  package func copy(
    as name: String, to staging: Staging, under lock: borrowing WriterLock
  ) throws -> (path: String?, files: Identity) {
    var path: String?
    // A link may lead to an intact catalog.
    if try SystemCalls.identity(of: library.place(Layout.catalog))?.kind == .symbolicLink {
      throw HoldfastError(.unsafePath, operation: "open", path: self.path)
    }
    for suffix in [""] + Layout.catalogSuffixes {
      guard
        case .regular? = try SystemCalls.identity(of: library.place(Layout.catalog + suffix))?
          .kind, suffix.isEmpty || path != nil,
        let file = try library.existingFile(Layout.catalog + suffix, O_RDONLY)
      else { continue }
      try file.refuseIfLarger(than: ReadLimit.catalog)
      let copy = try staging.createFile(named: name + suffix)
      try file.forEachChunk { bytes in try copy.write(bytes) }
      if suffix.isEmpty { path = copy.path }
    }
    // SQLite removes a journal after rolling it back.
    return (path, try identity())
  }

  /// Replaces a catalog that cannot be opened, and moves the old one into quarantine.
  ///
  /// After a crash, either the old one or the new one is there. SQLite's files beside the old one
  /// are moved first, because SQLite would use them for the new one.
  ///
  /// - Returns: The name of the quarantine; `nil` if there was nothing to move.
  /// - Throws: `HoldfastError`: `changed` if the old one has changed, or a system error.
  package func replace(
    with name: String, from staging: Staging, unlessChangedSince files: Identity,
    under lock: borrowing WriterLock
  ) throws(HoldfastError) -> String? {
    guard try identity() == files else {
      throw HoldfastError(.changed, operation: "replace", path: path)
    }
    try SystemCalls.sync(staging.directory.openFile(name))
    let quarantine =
      files.identities.isEmpty
      ? nil : try Quarantines(library: library).make(at: Date(), under: lock)
    let old = Layout.catalogSuffixes.map { Layout.catalog + $0 } + [Layout.catalog]
    for name in old where files.identities[name] != nil {
      // A folder cannot be replaced by a file.
      let isFile = files.identities[name]?.kind == .regular
      try quarantine?.move(
        Array(name.utf8), keepingName: name == Layout.catalog && isFile,
        note: "the catalog could not be opened; it was rebuilt", under: lock)
    }
    try SystemCalls.rename(
      staging.directory.place(name), replacing: library.place(Layout.catalog))
    staging.state.withLock { _ = $0.names.remove(name) }
    try library.sync()
    return quarantine?.name
  }

  private func identity() throws(HoldfastError) -> Identity {
    var files = Identity()
    for name in [Layout.catalog] + Layout.catalogSuffixes.map({ Layout.catalog + $0 }) {
      files.identities[name] = try SystemCalls.identity(of: library.place(name))
    }
    return files
  }
}
