import Glibc
package import HoldfastModel

/// A library's folder: its files, and the steps that change them.
///
/// It owns a descriptor of the folder, and reaches everything in it from there.
package final class LibraryTree: Sendable {
  /// The folder's path, as it was given.
  package let path: String
  package let marker: LibraryMarker
  let directory: Directory
  package let patience: LockTimeoutPolicy
  /// The marker's file and the catalog's, when the library was opened; `nil` for a missing one.
  private let opened: [FileIdentity?]

  init(
    path: String, marker: LibraryMarker, directory: Directory,
    patience: LockTimeoutPolicy = LockTimeoutPolicy()
  ) {
    self.path = path
    self.marker = marker
    self.directory = directory
    self.patience = patience
    opened = Self.parts(of: directory)
  }

  private static func parts(of directory: Directory) -> [FileIdentity?] {
    [Layout.marker, Layout.catalog].map { try? SystemCalls.identity(of: directory.place($0)) }
  }

  /// Whether the folder, the marker and the catalog at ``path`` are still those that were opened.
  ///
  /// A long-running program asks before each step: it costs three calls.
  package var isInPlace: Bool {
    guard let own = try? directory.file.identity(),
      let found = try? SystemCalls.identity(of: DirectoryRelativePath(path), followingLinks: true),
      found.isSameFile(as: own)
    else { return false }
    let present = Self.parts(of: directory)
    return zip(opened, present).allSatisfy { opened, present in
      guard let opened, let present else { return false }
      return opened.isSameFile(as: present)
    } && opened.first??.modified == present.first??.modified
  }

  /// Opens a library without writing anything.
  ///
  /// - Parameter patience: How long ``withWriterLock(patience:until:_:)`` waits.
  /// - Throws: `HoldfastError`: `noLibrary` if the folder, or a library in it, is missing;
  ///   `notALibrary` when the marker is damaged; `newerFormat`; or a system error.
  package static func open(
    at path: String, patience: LockTimeoutPolicy = LockTimeoutPolicy()
  ) throws(HoldfastError) -> LibraryTree {
    do throws(HoldfastError) {
      if let tree = try existing(at: path, patience) { return tree }
    } catch let error where error.errno == ENOTDIR {}
    throw HoldfastError(.noLibrary, operation: "open", path: path)
  }

  static func existing(
    at path: String, _ patience: LockTimeoutPolicy = LockTimeoutPolicy()
  ) throws(HoldfastError) -> LibraryTree? {
    guard let directory = try folder(at: path), let marker = try LibraryMarker.read(in: directory)
    else { return nil }
    return LibraryTree(path: path, marker: marker, directory: directory, patience: patience)
  }

  package func waiting(_ patience: LockTimeoutPolicy) -> LibraryTree {
    LibraryTree(path: path, marker: marker, directory: directory, patience: patience)
  }

  /// Opens the folder itself, or returns `nil` if there is none. A symbolic link is followed,
  /// because the person chose it.
  static func folder(at path: String) throws(HoldfastError) -> Directory? {
    do throws(HoldfastError) {
      let file = try SystemCalls.open(DirectoryRelativePath(path), O_RDONLY | O_DIRECTORY)
      return Directory(file: file, isLibrary: true)
    } catch let error where error.code == .missing {
      return nil
    }
  }

  /// This computer's name in the names of its folders in `.staging` and `.trash`.
  package var machine: String { Machine.tag(in: marker.uuid) }

  /// Returns the library's location as a hash: its folder on this computer. A copy of it, or the
  /// same disk in another computer, has another hash.
  package func place() throws(HoldfastError) -> SHA256Digest {
    Machine.place(
      of: marker.uuid, try SystemCalls.filesystemID(of: directory.file),
      try directory.file.identity().inode)
  }

  /// Returns how many bytes this user may still write on the library's disk; the largest number
  /// where the filesystem does not report its size.
  package func availableBytes() throws(HoldfastError) -> Int64 {
    try SystemCalls.availableBytes(on: directory.file)
  }

  /// Waits until the names in the library's folder are on the disk. This makes the removal of the
  /// catalog's journal durable, if SQLite could not wait for that.
  package func sync() throws(HoldfastError) { try directory.sync() }
}

extension LibraryTree {
  package var contents: TreeContents { TreeContents(tree: self) }
  package var catalogFile: CatalogFile { CatalogFile(library: directory) }
  package var quarantines: Quarantines { Quarantines(library: directory) }
  package var playableCopies: PlayableCopies { PlayableCopies(library: directory) }
}
