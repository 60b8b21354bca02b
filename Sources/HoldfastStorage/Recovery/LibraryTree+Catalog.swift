internal import Foundation
internal import Glibc
internal import HoldfastModel
internal import Synchronization

/// The catalog's files as they were at one moment, so that a change can be noticed.
public struct CatalogIdentity: Hashable, Sendable {
  fileprivate var identities: [String: FileIdentity] = [:]

  /// Whether there is nothing of that name.
  public var isMissing: Bool { identities[Layout.catalog] == nil }
}

/// Replacing a catalog that cannot be opened.
extension LibraryTree {
  /// Copies the catalog, and what SQLite keeps beside it, into staging.
  ///
  /// - Parameters:
  ///   - name: The name of the copy.
  ///   - staging: The folder.
  ///   - lock: The writer lock.
  /// - Returns: The copy's path, `nil` if the catalog is missing or is not a file; and the files that
  ///   were copied.
  /// - Throws: ``StorageError`` when something cannot be read or written.
  public func copyCatalog(
    as name: String, to staging: Staging, under lock: borrowing WriterLock
  ) throws -> (path: String?, files: CatalogIdentity) {
    var path: String?
    // It may lead to a catalog that is whole.
    if try SystemCalls.identity(of: directory.place(Layout.catalog))?.kind == .symbolicLink {
      throw StorageError(.unsafePath, "open", path: catalogPath)
    }
    for suffix in [""] + Layout.catalogSuffixes {
      guard
        case .regular? = try SystemCalls.identity(of: directory.place(Layout.catalog + suffix))?
          .kind, suffix.isEmpty || path != nil,
        let file = try directory.existingFile(Layout.catalog + suffix, O_RDONLY)
      else { continue }
      try file.refuseIfLarger(than: ReadLimit.catalog)
      let copy = try staging.createFile(named: name + suffix)
      try file.forEachChunk { bytes in try copy.write(bytes) }
      if suffix.isEmpty { path = copy.path }
    }
    // SQLite removes a journal when it has undone what it was for.
    return (path, try catalogIdentity())
  }

  /// Whether the folder for the recordings' files is there.
  public func hasRecordingsFolder() throws(StorageError) -> Bool {
    try SystemCalls.identity(of: directory.place(RelativePath.root))?.kind == .directory
  }

  private func catalogIdentity() throws(StorageError) -> CatalogIdentity {
    var files = CatalogIdentity()
    for name in [Layout.catalog] + Layout.catalogSuffixes.map({ Layout.catalog + $0 }) {
      files.identities[name] = try SystemCalls.identity(of: directory.place(name))
    }
    return files
  }

  /// Puts a new catalog in the place of one that cannot be opened, which moves into quarantine.
  ///
  /// After a crash, either the old one or the new one is there. What SQLite kept beside the old one
  /// goes first, because SQLite would take it for the new one's.
  ///
  /// - Parameters:
  ///   - name: The new catalog's name in staging.
  ///   - staging: The folder.
  ///   - files: The files of the old one.
  ///   - lock: The writer lock.
  /// - Returns: The name of the quarantine; `nil` if there was nothing to move.
  /// - Throws: ``StorageError``: `changed` if the old one has changed, or a system error.
  public func replaceCatalog(
    with name: String, from staging: Staging, unlessChangedSince files: CatalogIdentity,
    under lock: borrowing WriterLock
  ) throws(StorageError) -> String? {
    guard try catalogIdentity() == files else {
      throw StorageError(.changed, "replace", path: catalogPath)
    }
    guard let file = try staging.directory.existingFile(name, O_RDONLY) else {
      throw StorageError(.missing, "open", path: staging.directory.place(name).path, errno: ENOENT)
    }
    try SystemCalls.sync(file)
    let isAny = !files.identities.isEmpty
    let quarantine =
      isAny ? try makeQuarantine(named: Quarantine.name(at: Date()), under: lock) : nil
    let old = Layout.catalogSuffixes.map { Layout.catalog + $0 } + [Layout.catalog]
    for name in old where files.identities[name] != nil {
      // A folder cannot be replaced by a file.
      let isFile = files.identities[name]?.kind == .regular
      try quarantine?.take(
        Array(name.utf8), keepingName: name == Layout.catalog && isFile,
        note: "the catalog could not be opened; it was rebuilt", under: lock)
    }
    try SystemCalls.rename(
      staging.directory.place(name), replacing: directory.place(Layout.catalog))
    staging.state.withLock { _ = $0.names.remove(name) }
    try directory.sync()
    return quarantine?.name
  }
}
