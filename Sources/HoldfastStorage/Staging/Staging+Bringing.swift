import Glibc
package import HoldfastModel
package import HoldfastSupport
import Synchronization

/// The way to bring another library's files into this one: where possible without copying bytes.
package final class FileSharing: Sendable {
  private enum Way { case cloning, linking, copying }

  private let way: Mutex<Way>

  /// Begins with the best way. A way that the filesystems do not support is not tried again.
  ///
  /// - Parameters:
  ///   - isAllowed: Whether files may share bytes. If not, each is copied.
  ///   - mayClone: Whether a file that shares the bytes of another one is better than a second name
  ///     of it.
  package init(isAllowed: Bool, mayClone: Bool = true) {
    way = Mutex(!isAllowed ? .copying : mayClone ? .cloning : .linking)
  }

  fileprivate var mayClone: Bool { way.withLock { $0 == .cloning } }
  package var mayLink: Bool { way.withLock { $0 == .linking } }

  fileprivate func cannotClone() { way.withLock { if $0 == .cloning { $0 = .linking } } }
  package func cannotLink() { way.withLock { $0 = .copying } }
}

/// A file of another library that gets a second name in this one when it is published.
struct FileToName: Sendable {
  let folders: RecordingFolders
  let identity: FileIdentity

  /// Whether a name in this library is the file, and the other library has it, too. Then nothing is
  /// lost with the name.
  func isSecondName(_ found: FileIdentity, _ path: RelativePath) -> Bool {
    guard found.isSameFile(as: identity),
      let other = try? SystemCalls.identity(of: folders.place(path))
    else { return false }
    return other.isSameFile(as: identity)
  }
}

extension Staging {
  /// Brings a file of another library here: it shares the file's bytes, or the file itself under a
  /// second name, or else copies it.
  ///
  /// - Returns: The SHA-256 of the bytes that were copied; `nil` if they are shared, and were not
  ///   read.
  /// - Throws: ``WritingFailure`` for this library's disk, and `HoldfastError` for the source.
  package func bring(
    _ source: OpenFile, as name: String, by sharing: FileSharing, until stop: StopFlag
  ) throws -> SHA256Digest? {
    if sharing.mayLink, try link(source, as: name, sharing) { return nil }
    let file = try writing { () throws(HoldfastError) in try createFile(named: name) }
    if sharing.mayClone {
      if SystemCalls.clone(source, to: file) { return nil }
      sharing.cannotClone()
      try writing { () throws(HoldfastError) in try removeFile(named: name) }
      return try bring(source, as: name, by: sharing, until: stop)
    }
    return try source.sha256(until: stop) { bytes in
      try writing { () throws(HoldfastError) in try file.write(bytes) }
    }
  }

  /// Plans a second name for another library's file, which is made when the recording is published.
  /// No name is made here first: that is half the work for the filesystem.
  ///
  /// - Returns: The file's identity; `nil` if it has to be brought.
  /// - Throws: `HoldfastError`: `missing`, or a system error.
  package func name(
    _ path: RelativePath, in folders: RecordingFolders, by sharing: FileSharing
  ) throws(HoldfastError) -> FileIdentity? {
    guard sharing.mayLink else { return nil }
    let place = folders.place(path)
    guard let identity = try SystemCalls.identity(of: place) else {
      throw HoldfastError(.missing, operation: "open", path: place.path, errno: ENOENT)
    }
    guard isLikeOwn(identity), identity.device == device else { return nil }
    state.withLock { $0.toName[path] = FileToName(folders: folders, identity: identity) }
    return identity
  }

  /// The published files that are second names of another library's files.
  package var named: [RelativePath: FileIdentity] {
    state.withLock { $0.named.mapValues(\.identity) }
  }

  /// Gives a file a name here if it has this library's owner, and a library's mode. Returns whether
  /// it has the name.
  private func link(
    _ source: OpenFile, as name: String, _ sharing: FileSharing
  ) throws -> Bool {
    guard isLikeOwn(try source.identity()) else { return false }
    do throws(HoldfastError) {
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

  /// Whether kind, owner and mode are those of a file that is made here. Another user's file could
  /// be changed behind the library's back.
  private func isLikeOwn(_ file: FileIdentity) -> Bool {
    file.kind == .regular && file.owner == owner && file.permissions == 0o600
  }

  /// Whether the library has this folder, too: it is then the library that the folder was made in,
  /// or the same folder mounted elsewhere.
  package func isThere(in tree: LibraryTree) throws(HoldfastError) -> Bool {
    try tree.directory.existing(Layout.staging)?.existing(name.text) != nil
  }

  /// Returns the path of a file here, for a program that opens it by its path.
  package func path(of name: String) -> String { directory.place(name).path }
}

/// The files of another library, which are only read.
package enum OtherFiles: Sendable {
  case library(LibraryTree)
  case backup(Bag)

  /// Opens a recording's file or thumbnail for reading.
  ///
  /// - Parameter own: The recording's own path. A backup may have a file without it under another
  ///   name.
  /// - Throws: `HoldfastError`: `missing`, `unsafePath`, `notAFile`, or a system error.
  package func open(
    _ path: RelativePath, insteadOf own: RelativePath, _ hash: SHA256Digest?
  ) throws(HoldfastError) -> OpenFile {
    switch self {
    case .library(let tree): try tree.openForReading(path)
    case .backup(let bag): try bag.open(path, insteadOf: own, hash)
    }
  }

  /// Whether this is the folder of a library, under any path: a folder may be mounted in two
  /// places. The folder `staging` was just made in the library, and is looked up here.
  package func isFolder(
    of tree: LibraryTree, with staging: Staging?
  ) throws(HoldfastError) -> Bool {
    guard case .library(let other) = self else { return false }
    if try other.directory.file.identity().isSameFile(as: tree.directory.file.identity()) {
      return true
    }
    return try staging?.isThere(in: other) ?? false
  }

  /// The folders of a library's files; `nil` if one is missing, and for a backup.
  package var folders: RecordingFolders? {
    get throws(HoldfastError) {
      guard case .library(let tree) = self else { return nil }
      return try RecordingFolders(existingIn: tree.directory)
    }
  }

  /// Whether its files may share their bytes with another library's. A backup's may not: it is
  /// there for when the other ones are damaged.
  package var mayBeShared: Bool {
    guard case .library(let tree) = self else { return false }
    return !Bag.contains(SourcePath(tree.path))
  }
}
