internal import Glibc

/// Everything in a folder that may be a source, depth first, each folder in the order of the
/// names' bytes.
///
/// Left out without a word: hidden names (so also `._*` and `.Trashes`), `Thumbs.db`,
/// `desktop.ini` and symbolic links. A library is named but not entered. No more than one folder
/// is open at a time.
public struct FolderWalk: Sequence, IteratorProtocol, Sendable {
  /// What the walk comes across.
  public enum Entry: Hashable, Sendable {
    /// A file, or something else that is no folder, and what kind of thing it is.
    case file(SourcePath, FileIdentity.Kind)
    /// A library, or a folder inside of one: it is never a source.
    case library(SourcePath)
    /// A folder that could not be read; the walk goes on.
    case unreadable(SourcePath, StorageError)
  }

  /// What is still to come, the next one last.
  private var pending: [(path: SourcePath, kind: FileIdentity.Kind)]
  private var isAtRoot = true
  private let entersLibraries: Bool

  /// Starts at a folder; a symbolic link that a person named is followed.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - entersLibraries: Whether libraries are walked like any folder: a backup is one.
  public init(_ root: SourcePath, enteringLibraries entersLibraries: Bool = false) {
    pending = [(root, .directory)]
    self.entersLibraries = entersLibraries
  }

  /// The next entry; `nil` at the end.
  public mutating func next() -> Entry? {
    while let (path, kind) = pending.popLast() {
      guard kind == .directory else { return .file(path, kind) }
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

  /// Names that systems leave behind, and links, which may lead anywhere.
  fileprivate var isSkipped: Bool {
    if kind == .symbolicLink || name.first == UInt8(ascii: ".") { return true }
    return ["thumbs.db", "desktop.ini"].contains(text?.lowercased())
  }
}
