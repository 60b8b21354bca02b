import Glibc
package import HoldfastModel

extension SourcePath {
  /// Returns the identity of what is at the path, without opening it. It follows a symbolic link,
  /// because a person named it.
  package func identity() throws(HoldfastError) -> FileIdentity {
    let place = DirectoryRelativePath(bytes)
    guard let identity = try SystemCalls.identity(of: place, followingLinks: true) else {
      throw HoldfastError(.missing, operation: "check", path: place.path, errno: ENOENT)
    }
    return identity
  }

  /// The path without links in it; `nil` if nothing is there.
  package var real: SourcePath? {
    SystemCalls.realPath(DirectoryRelativePath(bytes)).map { SourcePath(bytes: $0) }
  }

  /// Whether the path leads to something, and no part of it is a symbolic link; `nil` if the system
  /// cannot tell now: this user may not search a folder above it, or its disk gives an error.
  package var isDirect: Bool? {
    do throws(HoldfastError) {
      _ = try SystemCalls.openThroughNoLink(DirectoryRelativePath(bytes), SystemCalls.pathOnly)
      return true
    } catch {
      let isNone =
        [.missing, .unsafePath].contains(error.code)
        || [ENOTDIR, ENAMETOOLONG].contains(error.errno)
      return isNone ? false : nil
    }
  }

  /// Whether the system reports that nothing is there. `false` if this user may not search a folder
  /// above it, or if its disk gives an error.
  package var isMissing: Bool {
    do throws(HoldfastError) {
      return try SystemCalls.identity(of: DirectoryRelativePath(bytes)) == nil
    } catch {
      return error.errno == ENOTDIR
    }
  }

  /// The reason why the system cannot tell now what is there: this user may not search a folder
  /// above it, or its disk gives an error. `nil` if it can tell, also when nothing is there.
  ///
  /// - Parameter lists: Whether the folder has to be listed as well.
  func obstacle(toListing lists: Bool = false) -> HoldfastError? {
    do throws(HoldfastError) {
      _ = try SystemCalls.openThroughNoLink(DirectoryRelativePath(bytes), SystemCalls.pathOnly)
      _ = try SystemCalls.identity(of: DirectoryRelativePath(bytes))
      if lists {
        _ = try Directory(
          file: SystemCalls.open(DirectoryRelativePath(bytes), O_RDONLY | O_DIRECTORY)
        ).entries()
        // Listing a folder needs one permission, reaching its entries another.
        _ = try SystemCalls.identity(of: DirectoryRelativePath(appending(".".utf8).bytes))
      }
      return nil
    } catch {
      let isNone =
        [.missing, .unsafePath].contains(error.code)
        || [ENOTDIR, ENAMETOOLONG].contains(error.errno)
      return isNone ? nil : error
    }
  }

  /// The nearest folder above this file or folder, or the folder itself, that Syncthing shares:
  /// there is a `.stfolder` in it. `nil` if there is none.
  package var syncedFolder: SourcePath? {
    var path = real ?? self
    while true {
      if path.appending(".stfolder".utf8).exists { return path }
      let folder = path.folder
      if folder == path { return nil }
      path = folder
    }
  }

  /// Whether the name is that of an SQLite database, or of a journal beside one.
  ///
  /// Nothing but SQLite may open such a file. When a process closes any descriptor of a file, the
  /// system drops all locks that the process has on it (fcntl(2), "Record locks"). An open catalog
  /// would be unprotected from then on.
  package var hasDatabaseName: Bool {
    let name = name.lowercased()
    guard !name.contains(".sqlite") else { return true }
    let base = ["-journal", "-wal", "-shm"].first { name.hasSuffix($0) }
      .map { String(name.dropLast($0.count)) }
    return [".db", ".db3", ".s3db", ".sl3"].contains { (base ?? name).hasSuffix($0) }
  }

  /// Whether this is the folder, or something in it, by its path alone.
  func isInside(_ folder: SourcePath) -> Bool {
    guard bytes.starts(with: folder.bytes) else { return false }
    return bytes.count == folder.bytes.count || folder.bytes.last == UInt8(ascii: "/")
      || bytes[folder.bytes.count] == UInt8(ascii: "/")
  }

  var andFoldersAbove: some Sequence<SourcePath> { sequence(first: self) { $0.split?.folder } }

  /// Whether it is a folder, and not a link to one.
  var isFolderItself: Bool {
    (try? SystemCalls.identity(of: DirectoryRelativePath(bytes)))?.kind == .directory
  }
}
