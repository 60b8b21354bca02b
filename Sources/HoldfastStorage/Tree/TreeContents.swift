import Glibc
package import HoldfastModel

/// One entry in the library, made by Holdfast or not.
package struct ScannedEntry: Hashable, Sendable, CustomStringConvertible {
  /// The path relative to the library's folder, as the system gives it.
  package let bytes: [UInt8]
  /// The identity of the entry. A symbolic link is not followed.
  package let identity: FileIdentity

  package var kind: FileIdentity.Kind { identity.kind }

  /// The path, if the catalog could hold it.
  package var path: RelativePath? {
    String(validating: bytes, as: UTF8.self).flatMap { RelativePath($0) }
  }

  /// The path for display: escaped, with bytes that are not UTF-8 replaced.
  package var description: String { SourcePath(bytes: bytes).description }

  /// The permissions that the entry should have. `nil` for anything but a file or a folder.
  package var privatePermissions: UInt32? {
    switch kind {
    case .regular: 0o600
    case .directory: 0o700
    default: nil
    }
  }

  /// Whether the entry is in one of the library's own folders, or is itself a part of every
  /// library.
  package var hasPlace: Bool {
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
  fileprivate static let folders = [
    RelativePath.root, staging, trash, quarantine, cache,
  ]
  fileprivate static let files = [marker, newMarker, lock, catalog, catalogJournal]
}

/// The entries in a library's folder, made by Holdfast or not.
package struct TreeContents: Sendable {
  let tree: LibraryTree
  var directory: Directory { tree.directory }

  /// Visits every name in `Recordings/`, `Recordings/Thumbnails/` and `Recordings/Photos/`, in the
  /// order of the names'
  /// bytes, or in parts that each have that order.
  ///
  /// Other folders in them are visited but not entered.
  ///
  /// - Parameter fail: Takes the error for an entry that cannot be examined.
  /// - Throws: `HoldfastError` when a folder cannot be read, and what `visit` and `fail` throw.
  package func scan(
    _ visit: (ScannedEntry) throws -> Void,
    orFail fail: (HoldfastError) throws -> Void = { throw $0 }
  ) throws {
    guard let recordings = try directory.existing(RelativePath.root) else { return }
    let root = "\(RelativePath.root)/"
    try Self.scan(recordings, prefix: root) { entry in
      let isOwnFolder =
        entry.kind == .directory
        && Self.folders.contains { entry.bytes.elementsEqual("\(root)\($0)".utf8) }
      if !isOwnFolder { try visit(entry) }
    } orFail: {
      try fail($0)
    }
    for name in Self.folders {
      guard let folder = try recordings.folder(name) else { continue }
      try Self.scan(folder, prefix: "\(root)\(name)/", visit, orFail: fail)
    }
  }

  /// Visits each entry in the folder of photos.
  package func scanPhotos(_ visit: (ScannedEntry) throws -> Void) throws {
    let name = RelativePath.photos
    guard let photos = try directory.existing(RelativePath.root)?.folder(name) else { return }
    try Self.scan(photos, prefix: "\(RelativePath.root)/\(name)/", visit) { throw $0 }
  }

  private static let folders = [RelativePath.thumbnails, RelativePath.photos]

  private static func scan(
    _ folder: Directory, prefix: String, _ visit: (ScannedEntry) throws -> Void,
    orFail fail: (HoldfastError) throws -> Void
  ) throws {
    try folder.forEachEntry { entry in
      let found: FileIdentity?
      do throws(HoldfastError) {
        found = try SystemCalls.identity(of: DirectoryRelativePath(in: folder.file, entry.name))
      } catch {
        return try fail(error)
      }
      // It disappeared after it was listed.
      guard let identity = found else { return }
      try visit(ScannedEntry(bytes: Array(prefix.utf8) + entry.name, identity: identity))
    }
  }

  /// Returns the library's own folder, and the folders and files that every library has, if they
  /// exist.
  package func ownEntries() throws(HoldfastError) -> [ScannedEntry] {
    var entries = [ScannedEntry(bytes: Array(".".utf8), identity: try directory.file.identity())]
    var hasRoot = false
    for name in [
      Layout.marker, Layout.lock, Layout.catalog, RelativePath.root, Layout.thumbnails,
      Layout.photos, Layout.staging, Layout.trash, Layout.quarantine, Layout.cache,
    ] {
      // A link would lead to another folder's thumbnails. The link itself is a finding.
      let isInRoot = [Layout.thumbnails, Layout.photos].contains(name)
      if isInRoot, !hasRoot { continue }
      guard let identity = try SystemCalls.identity(of: directory.place(name)) else { continue }
      entries.append(ScannedEntry(bytes: Array(name.utf8), identity: identity))
      if name == RelativePath.root { hasRoot = identity.kind == .directory }
    }
    return entries
  }

  package func hasRecordingsFolder() throws(HoldfastError) -> Bool {
    try SystemCalls.identity(of: directory.place(RelativePath.root))?.kind == .directory
  }

  /// Visits everything in the library's folder, at any depth, starting with the folder itself.
  ///
  /// Entries that disappear before they are examined are skipped. If an entry cannot be examined,
  /// its error is passed to `fail`, and the rest is still visited.
  package func visitAll(
    _ visit: (ScannedEntry) throws -> Void, orFail fail: (HoldfastError) throws -> Void
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
      } catch let error as HoldfastError {
        if error.code != .missing { try fail(error) }
      }
    }
  }

  private func entry(at path: [UInt8]) throws(HoldfastError) -> ScannedEntry? {
    let path = path.isEmpty ? Array(".".utf8) : path
    return try SystemCalls.identity(of: DirectoryRelativePath(in: directory.file, path)).map {
      ScannedEntry(bytes: path, identity: $0)
    }
  }

  private func names(in path: [UInt8]) throws(HoldfastError) -> [[UInt8]] {
    guard !path.isEmpty else { return try directory.entries().map(\.name) }
    // This follows no link that has replaced a folder since it was examined.
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
    let folder = try SystemCalls.openBeneath(DirectoryRelativePath(in: directory.file, path), flags)
    return try SystemCalls.entries(of: folder).map(\.name)
  }
}
