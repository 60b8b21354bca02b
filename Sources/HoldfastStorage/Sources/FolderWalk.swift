package import HoldfastModel

/// A walk through everything in a folder that may be a source.
///
/// It goes depth first, and through each folder in the order of the names' bytes. It silently skips
/// symbolic links. Unless it enters libraries, it also skips hidden names (so also `._*` and
/// `.Trashes`), `Thumbs.db` and `desktop.ini`, and reports a library without entering it.
///
/// The root is opened once. Everything else is reached from there and through no link, by the walk
/// and by the users of its entries, because another user may change the folder meanwhile. Besides
/// the root, no more than one folder is open at a time.
package struct FolderWalk: Sequence, IteratorProtocol, Sendable {
  package enum Entry: Hashable, Sendable {
    /// A file, or anything else that is not a folder, and its kind.
    case file(SourceRoute, FileIdentity.Kind)
    /// A folder, before it is read. Only a walk that reports folders has these.
    case folder(SourcePath)
    /// A library, or a folder inside one, which is never a source.
    case library(SourcePath)
    /// A folder that could not be read. The walk continues.
    case unreadable(SourcePath, HoldfastError)
  }

  /// The entries still to visit, the next one last.
  private var pending: [(route: SourceRoute, kind: FileIdentity.Kind)]
  private var isAtRoot = true
  private let entersLibraries: Bool
  private let reportsFolders: Bool
  /// A folder that was reported and is read next.
  private var reported: SourcePath?

  /// - Parameters:
  ///   - root: The folder. It is opened when the first entry is asked for.
  ///   - entersLibraries: Whether to walk libraries like any other folder. A backup is a library.
  package init(
    _ root: SourceRoute, enteringLibraries entersLibraries: Bool = false,
    reportingFolders reportsFolders: Bool = false
  ) {
    pending = [(root, .directory)]
    self.entersLibraries = entersLibraries
    self.reportsFolders = reportsFolders
  }

  /// Leaves out the folder that was just reported.
  mutating func skipFolder() {
    if pending.last?.route.path == reported { pending.removeLast() }
  }

  package mutating func next() -> Entry? {
    while let (route, kind) = pending.popLast() {
      guard kind == .directory else { return .file(route, kind) }
      if reportsFolders, reported != route.path {
        reported = route.path
        pending.append((route, kind))
        return .folder(route.path)
      }
      let isRoot = isAtRoot
      isAtRoot = false
      do throws(HoldfastError) {
        let folder = try route.openFolder()
        if isRoot, !entersLibraries, (folder.file.realPath ?? route.path).isInsideLibrary {
          return .library(route.path)
        }
        let entries = try folder.entries()
        if !entersLibraries, entries.contains(where: \.isNamedAsMarker),
          LibraryMarker.marks(folder)
        {
          return .library(route.path)
        }
        let inside = isRoot ? route.starting(at: folder) : route
        for entry in entries.reversed()
        where entry.kind != .symbolicLink && (entersLibraries || !entry.isSkipped) {
          pending.append((inside.appending(entry.name), entry.kind))
        }
      } catch {
        return .unreadable(route.path, error)
      }
    }
    return nil
  }
}

extension DirectoryEntry {
  fileprivate var isNamedAsMarker: Bool { name.elementsEqual(Layout.marker.utf8) }

  /// Whether this is a file that systems leave behind, or a link, which may lead anywhere.
  fileprivate var isSkipped: Bool {
    if kind == .symbolicLink || name.first == UInt8(ascii: ".") { return true }
    return ["thumbs.db", "desktop.ini"].contains(text?.lowercased())
  }
}
