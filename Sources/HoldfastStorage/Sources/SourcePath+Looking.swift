import Glibc

extension SourcePath {
  /// Returns the identity of what is at the path, without opening it. It follows a symbolic link,
  /// because a person named it.
  package func identity() throws(StorageError) -> FileIdentity {
    let place = Place(bytes)
    guard let identity = try SystemCalls.identity(of: place, followingLinks: true) else {
      throw StorageError(.missing, "look at", path: place.path, errno: ENOENT)
    }
    return identity
  }

  /// The path without links in it; `nil` if nothing is there.
  package var real: SourcePath? { SystemCalls.realPath(Place(bytes)).map { SourcePath(bytes: $0) } }

  /// Whether the path leads to something, and no part of it is a symbolic link; `nil` if the system cannot tell now:
  /// this user may not look into a folder above it, or its disk gives an error.
  package var isDirect: Bool? {
    do throws(StorageError) {
      _ = try SystemCalls.openThroughNoLink(Place(bytes), SystemCalls.onlyToLookAt)
      return true
    } catch {
      let isNone =
        [.missing, .unsafePath].contains(error.code)
        || [ENOTDIR, ENAMETOOLONG].contains(error.errno)
      return isNone ? false : nil
    }
  }

  /// Whether the system says that nothing is there. It does not say so of what this user may not look at, or of a disk
  /// that gives an error.
  package var isMissing: Bool {
    do throws(StorageError) {
      return try SystemCalls.identity(of: Place(bytes)) == nil
    } catch {
      return error.errno == ENOTDIR
    }
  }

  /// Whether the system cannot tell now what is there: this user may not look into a folder above it, or its disk gives an
  /// error.
  var isHidden: Bool {
    guard let isDirect else { return true }
    return isDirect && !exists && !isMissing
  }

  /// The nearest folder above this file or folder, or the folder itself, that Syncthing shares: there
  /// is a `.stfolder` in it. `nil` if there is none.
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
}
