internal import Glibc

/// A walk through everything in a folder that may be a source.
///
/// It goes depth first, and through each folder in the order of the names' bytes. It silently skips
/// symbolic links. Unless it enters libraries, it also skips hidden names (so also `._*` and
/// `.Trashes`), `Thumbs.db` and `desktop.ini`, and reports a library without entering it. No more
/// than one folder is open at a time.
public struct FolderWalk: Sequence, IteratorProtocol, Sendable {
  /// One thing that the walk finds.
  public enum Entry: Hashable, Sendable {
    /// A file, or anything else that is not a folder, and its kind.
    case file(SourcePath, FileIdentity.Kind)
    /// A folder, before it is read. Only a walk that reports folders has these.
    case folder(SourcePath)
    /// A library, or a folder inside one, which is never a source.
    case library(SourcePath)
    /// A folder that could not be read. The walk continues.
    case unreadable(SourcePath, StorageError)
  }

  /// The entries still to visit, the next one last.
  private var pending: [(path: SourcePath, kind: FileIdentity.Kind)]
  private var isAtRoot = true
  private let entersLibraries: Bool
  private let reportsFolders: Bool
  /// A folder that was reported and is read next.
  private var reported: SourcePath?

  /// Starts at a folder. A symbolic link as the root is followed, because a person named it.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - entersLibraries: Whether to walk libraries like any other folder. A backup is a library.
  ///   - reportsFolders: Whether to report each folder before it is read.
  public init(
    _ root: SourcePath, enteringLibraries entersLibraries: Bool = false,
    reportingFolders reportsFolders: Bool = false
  ) {
    pending = [(root, .directory)]
    self.entersLibraries = entersLibraries
    self.reportsFolders = reportsFolders
  }

  /// Returns the next entry, or `nil` at the end.
  public mutating func next() -> Entry? {
    while let (path, kind) = pending.popLast() {
      guard kind == .directory else { return .file(path, kind) }
      if reportsFolders, reported != path {
        reported = path
        pending.append((path, kind))
        return .folder(path)
      }
      let isRoot = isAtRoot
      isAtRoot = false
      if isRoot, !entersLibraries, path.isInsideLibrary { return .library(path) }
      do throws(StorageError) {
        let folder = try Self.open(path, isRoot: isRoot)
        let entries = try folder.entries()
        if !entersLibraries, entries.contains(where: \.isNamedAsMarker),
          LibraryMarker.marks(folder)
        {
          return .library(path)
        }
        for entry in entries.reversed()
        where entry.kind != .symbolicLink && (entersLibraries || !entry.isSkipped) {
          pending.append((path.appending(entry.name), entry.kind))
        }
      } catch {
        return .unreadable(path, error)
      }
    }
    return nil
  }

  private static func open(_ path: SourcePath, isRoot: Bool) throws(StorageError) -> Directory {
    let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | (isRoot ? 0 : O_NOFOLLOW)
    return Directory(file: try SystemCalls.open(Place(path.bytes), flags))
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
