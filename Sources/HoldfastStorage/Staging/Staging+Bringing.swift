internal import Glibc
public import HoldfastModel
package import HoldfastSupport
internal import Synchronization

/// How the files of another library get into this one: where possible without copying their bytes.
public final class FileSharing: Sendable {
  private enum Way { case cloning, linking, copying }

  private let way: Mutex<Way>

  /// Begins with the best way; what the filesystems cannot do is not tried again.
  ///
  /// - Parameter isAllowed: Whether files may share bytes. If not, each is copied.
  public init(isAllowed: Bool) { way = Mutex(isAllowed ? .cloning : .copying) }

  /// Whether bytes can still be shared.
  fileprivate var mayClone: Bool { way.withLock { $0 == .cloning } }
  fileprivate var mayLink: Bool { way.withLock { $0 == .linking } }

  fileprivate func cannotClone() { way.withLock { if $0 == .cloning { $0 = .linking } } }
  fileprivate func cannotLink() { way.withLock { $0 = .copying } }
}

extension Staging {
  /// Brings a file of another library here: it shares the file's bytes, or the file itself under a
  /// second name, or else copies it.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - name: The name that it gets here.
  ///   - sharing: Which ways are possible.
  ///   - stop: Ends a copy with a `CancellationError`.
  /// - Returns: The SHA-256 of the bytes that were copied; `nil` if they are shared, and were not read.
  /// - Throws: ``WritingFailure``, `CancellationError`, and ``StorageError`` when the source cannot be
  ///   read.
  package func bring(
    _ source: OpenFile, as name: String, by sharing: FileSharing, until stop: StopFlag
  ) throws -> SHA256Digest? {
    if sharing.mayLink, try link(source, name, sharing) { return nil }
    let file = try writing { () throws(StorageError) in try createFile(named: name) }
    if sharing.mayClone {
      if SystemCalls.clone(source, to: file) { return nil }
      sharing.cannotClone()
      try writing { () throws(StorageError) in try removeFile(named: name) }
      return try bring(source, as: name, by: sharing, until: stop)
    }
    var hash = SHA256()
    try source.forEachChunk { bytes in
      try stop.check()
      hash.update(bytes)
      try writing { () throws(StorageError) in try file.write(bytes) }
    }
    return hash.digest()
  }

  /// Gives a file a name here, if it is as a file of this library should be.
  ///
  /// - Returns: Whether it has the name.
  private func link(
    _ source: OpenFile, _ name: String, _ sharing: FileSharing
  ) throws -> Bool {
    let identity = try source.identity()
    // One that belongs to somebody else could be changed behind this library's back.
    guard identity.owner == geteuid(), identity.permissions == 0o600 else { return false }
    do throws(StorageError) {
      try SystemCalls.link(source, to: directory.place(name))
    } catch {
      if [EIO, ENOSPC, EDQUOT, EROFS].contains(error.errno) { throw WritingFailure(reason: error) }
      // Whatever forbids a link, such as another filesystem, does not forbid a copy.
      sharing.cannotLink()
      return false
    }
    state.withLock { _ = $0.names.insert(name) }
    return true
  }

  /// Whether the folder is in this library, too. It then is the library that the folder was made in, or shows what is
  /// there.
  ///
  /// - Throws: ``StorageError`` when the system cannot say.
  public func isThere(in tree: LibraryTree) throws(StorageError) -> Bool {
    try tree.directory.existing(Layout.staging)?.existing(name.text) != nil
  }

  /// Returns the path of a file here, for a program that opens it by its path.
  public func path(of name: String) -> String { directory.place(name).path }
}

/// The files of another library, which are only read.
public enum OtherFiles: Sendable {
  /// A library's own folder.
  case library(LibraryTree)
  /// A backup.
  case backup(Bag)

  /// Opens a recording's file or thumbnail for reading.
  ///
  /// - Throws: ``StorageError``: `missing`, `unsafePath`, `notAFile`, or a system error.
  public func open(_ path: RelativePath) throws(StorageError) -> OpenFile {
    switch self {
    case .library(let tree): try tree.openForReading(path)
    case .backup(let bag): try bag.open("\(Bag.payload)/\(path.string)")
    }
  }

  /// Whether this is the folder of a library, by whatever path: a folder may be mounted in two places.
  ///
  /// - Parameters:
  ///   - tree: The library.
  ///   - staging: A folder that was made in it just now, which is looked for here.
  /// - Throws: ``StorageError`` when the system cannot say.
  public func isFolder(
    of tree: LibraryTree, with staging: Staging?
  ) throws(StorageError) -> Bool {
    guard case .library(let other) = self else { return false }
    if try other.directory.file.identity().isSameFile(as: tree.directory.file.identity()) {
      return true
    }
    return try staging?.isThere(in: other) ?? false
  }

  /// Whether its files may share their bytes with another library's. A backup's may not: it is there
  /// for when the other ones are damaged.
  public var mayBeShared: Bool {
    guard case .library(let tree) = self else { return false }
    return !Bag.contains(SourcePath(tree.path))
  }
}
