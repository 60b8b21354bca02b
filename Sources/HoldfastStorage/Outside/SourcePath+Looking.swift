internal import Glibc

extension SourcePath {
  /// Returns the identity of what is at the path, without opening it.
  ///
  /// It follows a symbolic link, because a person named it.
  ///
  /// - Throws: ``StorageError``: `missing`, or a system error.
  public func identity() throws(StorageError) -> FileIdentity {
    let place = Place(bytes)
    guard let identity = try SystemCalls.identity(of: place, followingLinks: true) else {
      throw StorageError(.missing, "look at", path: place.path, errno: ENOENT)
    }
    return identity
  }

  /// Whether the name is that of an SQLite database, or of a journal beside one.
  ///
  /// Nothing but SQLite may open such a file. When a process closes any descriptor of a file, the
  /// system drops all locks that the process has on it (fcntl(2), "Record locks"). An open catalog
  /// would be unprotected from then on.
  public var hasDatabaseName: Bool {
    let name = name.lowercased()
    guard !name.contains(".sqlite") else { return true }
    let base = ["-journal", "-wal", "-shm"].first { name.hasSuffix($0) }
      .map { String(name.dropLast($0.count)) }
    return [".db", ".db3", ".s3db", ".sl3"].contains { (base ?? name).hasSuffix($0) }
  }
}
