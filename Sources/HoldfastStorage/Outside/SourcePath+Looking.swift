internal import Glibc

extension SourcePath {
  /// What stands there; nothing is opened. A symbolic link that a person named is followed.
  ///
  /// - Throws: ``StorageError``: `missing`, or what the system says.
  public func identity() throws(StorageError) -> FileIdentity {
    let place = Place(bytes)
    guard let identity = try SystemCalls.identity(of: place, followingLinks: true) else {
      throw StorageError(.missing, "look at", path: place.path, errno: ENOENT)
    }
    return identity
  }

  /// Whether the name is that of an SQLite database, or of a journal beside one.
  ///
  /// Nothing but SQLite may open such a file: when any descriptor of it is closed, the system drops all
  /// locks that the process has on it (fcntl(2), "Record locks"), and a catalog that is open is
  /// unprotected from then on.
  public var hasDatabaseName: Bool {
    let name = name.lowercased()
    guard !name.contains(".sqlite") else { return true }
    let base = ["-journal", "-wal", "-shm"].first { name.hasSuffix($0) }
      .map { String(name.dropLast($0.count)) }
    return [".db", ".db3", ".s3db", ".sl3"].contains { (base ?? name).hasSuffix($0) }
  }
}
