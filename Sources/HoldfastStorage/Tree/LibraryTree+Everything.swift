internal import Glibc
public import HoldfastModel

extension ScannedEntry {
  /// Whether the entry is in one of the library's own folders, or is itself a part of every
  /// library.
  public var hasPlace: Bool {
    guard let slash = bytes.firstIndex(of: Layout.slash) else {
      return bytes.elementsEqual(".".utf8) || isPartOfRoot
    }
    return Layout.folders.contains { $0.utf8.elementsEqual(bytes[..<slash]) }
  }

  private var isPartOfRoot: Bool {
    let names = kind == .directory ? Layout.folders : Layout.files
    return names.contains { $0.utf8.elementsEqual(bytes) }
  }
}

extension Layout {
  /// The folders in the library's folder.
  fileprivate static let folders = [
    RelativePath.root, staging, trash, quarantine, cache,
  ]
  /// The files in the library's folder.
  fileprivate static let files = [marker, newMarker, lock, catalog, catalogJournal]
}

extension LibraryTree {
  /// Visits everything in the library's folder, at any depth, starting with the folder itself.
  ///
  /// What disappears before it is examined is skipped. If something cannot be examined, that is
  /// passed to `fail`, and the rest is still visited.
  ///
  /// - Parameters:
  ///   - visit: Takes one entry.
  ///   - fail: Takes the error for an entry that cannot be examined.
  /// - Throws: What `visit` and `fail` throw.
  public func visitEverything(
    _ visit: (ScannedEntry) throws -> Void, orFail fail: (StorageError) throws -> Void
  ) throws {
    // These are paths, not open folders, because a tree may be deep. The next one is last.
    var pending: [[UInt8]] = [[]]
    while let path = pending.popLast() {
      do {
        guard let entry = try entry(at: path) else { continue }
        try visit(entry)
        guard entry.kind == .directory else { continue }
        for name in try names(in: path).reversed() {
          pending.append(path.isEmpty ? name : path + [Layout.slash] + name)
        }
      } catch let error as StorageError {
        if error.code != .missing { try fail(error) }
      }
    }
  }

  /// Whether a command seems to be writing to the library.
  ///
  /// That is so when the writer lock is held or the catalog has a journal. A reader may also be
  /// rolling back the journal.
  public var isBeingWritten: Bool {
    if (try? catalogFiles().hasJournal) == true { return true }
    guard let lock = lockFile else { return false }
    // If the lock is taken here, it is released at once.
    defer { SystemCalls.unlock(lock) }
    return (try? SystemCalls.tryLock(lock, shared: true)) == false
  }

  /// The holder of the writer lock. `nil` if nobody holds it, or if the system does not say.
  public var lockHolder: LockHolder? { lockFile.flatMap(LockHolder.holding) }

  private var lockFile: OpenFile? {
    try? SystemCalls.open(directory.place(Layout.lock), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  }

  /// Returns the size of the catalog's file in bytes, and whether its journal is beside it.
  ///
  /// Unless the caller holds the writer lock, a journal can appear for a moment while somebody
  /// writes.
  ///
  /// - Throws: ``StorageError`` when the system cannot say.
  public func catalogFiles() throws(StorageError) -> (size: Int64, hasJournal: Bool) {
    let size = try SystemCalls.identity(of: directory.place(Layout.catalog))?.size ?? 0
    let journal = try SystemCalls.identity(of: directory.place(Layout.catalogJournal))
    return (size, journal != nil)
  }

  private func entry(at path: [UInt8]) throws(StorageError) -> ScannedEntry? {
    let path = path.isEmpty ? Array(".".utf8) : path
    return try SystemCalls.identity(of: Place(in: directory.file, path)).map {
      ScannedEntry(bytes: path, identity: $0)
    }
  }

  private func names(in path: [UInt8]) throws(StorageError) -> [[UInt8]] {
    guard !path.isEmpty else { return try directory.entries().map(\.name) }
    // This follows no link that has replaced a folder since it was examined.
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
    let folder = try SystemCalls.openBeneath(Place(in: directory.file, path), flags)
    return try SystemCalls.entries(of: folder).map(\.name)
  }
}
