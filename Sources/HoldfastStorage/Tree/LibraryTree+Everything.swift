internal import Glibc
public import HoldfastModel

extension ScannedEntry {
  /// Whether it lies in one of the library's own folders, or is what the library's folder is made of.
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
  fileprivate static let folders = [RelativePath.root, staging, trash, quarantine]
  /// The files in the library's folder.
  fileprivate static let files = [marker, newMarker, lock, catalog, catalogJournal]
}

extension LibraryTree {
  /// Shows everything in the library's folder, at any depth, the folder itself first. What is gone
  /// before it is looked at is not shown; what cannot be looked at is passed on, and the rest shown.
  ///
  /// - Parameters:
  ///   - visit: Takes one entry.
  ///   - fail: Takes what the system says of an entry that cannot be looked at.
  /// - Throws: What `visit` and `fail` throw.
  public func visitEverything(
    _ visit: (ScannedEntry) throws -> Void, orFail fail: (StorageError) throws -> Void
  ) throws {
    // Paths, and not open folders: a tree may be deep. The next one stands last.
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

  /// Whether a command seems to be writing to the library: it holds the writer lock, or the catalog has a
  /// journal, which a reader too may be rolling back.
  public var isBeingWritten: Bool {
    if (try? catalogFiles().hasJournal) == true { return true }
    guard let lock = lockFile else { return false }
    // A lock that is had is let go of at once.
    defer { SystemCalls.unlock(lock) }
    return (try? SystemCalls.tryLock(lock, shared: true)) == false
  }

  /// Who holds the writer lock; `nil` where nobody does, or where the system does not say.
  public var lockHolder: LockHolder? { lockFile.flatMap(LockHolder.holding) }

  private var lockFile: OpenFile? {
    try? SystemCalls.open(directory.place(Layout.lock), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  }

  /// The size of the catalog's file in bytes, and whether its journal lies beside it.
  ///
  /// A journal is there for a moment while somebody writes, unless the caller holds the writer lock.
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
    // Through no link that took a folder's place since it was looked at.
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
    let folder = try SystemCalls.openBeneath(Place(in: directory.file, path), flags)
    return try SystemCalls.entries(of: folder).map(\.name)
  }
}
