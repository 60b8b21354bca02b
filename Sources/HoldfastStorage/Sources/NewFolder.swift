import Glibc
package import HoldfastModel

/// A private folder that is made for a person outside the library, for an export of several files.
///
/// If this object made the folder, and nothing in it was committed, it removes the folder at its
/// end.
package final class NewFolder: Sendable {
  package let path: SourcePath
  private let file: OpenFile
  /// The folder's place in its parent, if this object made it.
  private let made: DirectoryRelativePath?

  /// Makes a folder for its owner alone (0700), or uses an existing empty folder as it is.
  ///
  /// - Parameter path: The folder's path. Symbolic links are followed, because a person named them.
  /// - Throws: `HoldfastError`: `folderNotEmpty`, `insideLibrary`, `insideBag`,
  ///   `folderMissing` for the parent folder, or a system error.
  package init(at path: SourcePath) throws(HoldfastError) {
    let path = path.withoutSlashAtEnd
    var made: DirectoryRelativePath?
    switch try SystemCalls.identity(of: DirectoryRelativePath(path.bytes), followingLinks: true)?
      .kind
    {
    case .directory?: break
    case nil:
      guard let (parent, name) = path.split else {
        throw HoldfastError(.folderMissing, operation: "make", path: path.text)
      }
      let place = DirectoryRelativePath(
        in: try SystemCalls.openFolder(forNewThingsIn: parent), name)
      try SystemCalls.makeDirectory(place)
      made = place
    default:
      throw HoldfastError(.folderNotEmpty, operation: "make", path: path.text)
    }
    do throws(HoldfastError) {
      file = try SystemCalls.openFolder(forNewThingsIn: path)
      guard try SystemCalls.entries(of: file).isEmpty else {
        throw HoldfastError(.folderNotEmpty, operation: "make", path: file.path)
      }
      if let parent = made?.directory { try SystemCalls.sync(parent) }
    } catch {
      if let made { try? SystemCalls.unlink(made, directory: true) }
      throw error
    }
    self.path = path
    self.made = made
  }

  deinit {
    if let made { try? SystemCalls.unlink(made, directory: true) }
  }

  /// - Throws: `HoldfastError`: `exists`, `unsafePath` if `name` is not one plain name, or a
  ///   system error.
  package func makeFile(named name: String) throws(HoldfastError) -> NewFile {
    let path = path.appending(name.utf8)
    guard !["", ".", ".."].contains(name), !name.utf8.contains(UInt8(ascii: "/")) else {
      throw HoldfastError(.unsafePath, operation: "name a file", path: path.text)
    }
    return try NewFile(path, name: Array(name.utf8), in: file, newFolder: self)
  }
}

extension SourcePath {
  /// Refuses a folder in which nothing may be made, because it is in a library or in a backup. New
  /// files in a library would be erased with it. A backup is never changed.
  func refuseNewThings(as path: String) throws(HoldfastError) {
    if isInsideLibrary { throw HoldfastError(.insideLibrary, operation: "make", path: path) }
    if Bag.contains(self) { throw HoldfastError(.insideBag, operation: "make", path: path) }
  }
}

extension SystemCalls {
  /// Opens a folder that a person named, unless it is in a library or in a backup.
  static func openFolder(forNewThingsIn path: SourcePath) throws(HoldfastError) -> OpenFile {
    let place = DirectoryRelativePath(path.bytes)
    try path.refuseNewThings(as: place.path)
    do throws(HoldfastError) {
      return try open(place, O_RDONLY | O_DIRECTORY)
    } catch let error where error.code == .missing || error.errno == ENOTDIR {
      throw HoldfastError(.folderMissing, operation: "open", path: place.path, errno: error.errno)
    }
  }
}
