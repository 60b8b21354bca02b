import Glibc
package import HoldfastModel

/// The way to a source.
///
/// Each call looks up the path again. A path that a person typed is followed through symbolic
/// links. A file that a ``FolderWalk`` finds is reached from the folder that the walk opened, and
/// through no link. So another user who may write to that folder cannot lead a later call to other
/// files.
package struct SourceRoute: Hashable, Sendable {
  private enum Start: Hashable {
    /// The path as it is. Links are followed.
    case typed
    /// The path as it is. A link on it is refused.
    case direct
    /// An open folder. A path that leaves it, or leads through a link, is refused.
    case folder(OpenFile)
  }

  /// The path, for messages and for everything that depends on names.
  package let path: SourcePath
  private let start: Start
  /// The number of bytes at the beginning of the path that stand for the open folder.
  private let skipped: Int

  package init(typed path: SourcePath) {
    self.init(path, from: .typed)
  }

  package init(direct path: SourcePath) {
    self.init(path, from: .direct)
  }

  private init(_ path: SourcePath, from start: Start, skipping skipped: Int = 0) {
    self.path = path
    self.start = start
    self.skipped = skipped
  }

  package var followsLinks: Bool { start == .typed }

  /// The path from the start.
  private var rest: SourcePath {
    let rest = path.bytes.dropFirst(skipped)
    return SourcePath(bytes: skipped > 0 ? rest.drop { $0 == UInt8(ascii: "/") } : rest)
  }

  /// Opens a file of any kind for reading, without waiting on a FIFO. The reader decides which
  /// kinds it accepts.
  ///
  /// - Throws: `HoldfastError`: `notAFile` for a socket, `missing`, `unsafePath` for a link that
  ///   is not followed, or a system error.
  package func open() throws(HoldfastError) -> OpenFile {
    do throws(HoldfastError) {
      return try open(rest, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    } catch let error where error.errno == ENXIO {
      throw HoldfastError(.notAFile, operation: "open", path: error.path, errno: ENXIO)
    }
  }

  /// Returns the identity of what is there, without opening it for reading.
  package func identity() throws(HoldfastError) -> FileIdentity {
    try open(rest, SystemCalls.pathOnly).identity()
  }

  package var real: SourcePath? {
    guard case .folder(let folder) = start else { return path.real }
    return folder.realPath?.appending(rest.bytes)
  }

  /// Whether the file is on a filesystem of another machine or of a program, like
  /// ``SourceFile/isRemote(_:)`` for an open file.
  package var isRemote: Bool {
    (try? open(rest, SystemCalls.pathOnly)).map(SourceFile.isRemote) ?? false
  }

  func openFolder() throws(HoldfastError) -> Directory {
    Directory(file: try open(rest, O_RDONLY | O_DIRECTORY | O_NONBLOCK))
  }

  /// Returns the name in its folder, opened once; `nil` for a path that can only be a folder.
  ///
  /// The folder is not opened for reading: to look up or remove a name needs no right to list.
  func place() throws(HoldfastError) -> DirectoryRelativePath? {
    guard let (folder, name) = rest.split else { return nil }
    return DirectoryRelativePath(in: try open(folder, SystemCalls.pathOnly | O_DIRECTORY), name)
  }

  /// Returns the route to this folder from itself, once it is open.
  func starting(at folder: Directory) -> SourceRoute {
    SourceRoute(path, from: .folder(folder.file), skipping: path.bytes.count)
  }

  func appending(_ name: [UInt8]) -> SourceRoute {
    SourceRoute(path.appending(name), from: start, skipping: skipped)
  }

  private func open(_ path: SourcePath, _ flags: CInt) throws(HoldfastError) -> OpenFile {
    switch start {
    case .typed: try SystemCalls.open(DirectoryRelativePath(path.bytes), flags)
    case .direct: try SystemCalls.openThroughNoLink(DirectoryRelativePath(path.bytes), flags)
    case .folder(let folder):
      // An empty path is the folder itself.
      try SystemCalls.openBeneath(
        DirectoryRelativePath(in: folder, path.bytes.isEmpty ? [UInt8(ascii: ".")] : path.bytes),
        flags)
    }
  }
}
