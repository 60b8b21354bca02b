internal import CLinux
internal import GRDB

/// What stands in a catalog's file although it belongs to no row.
public struct CatalogTraces: Hashable, Sendable {
  /// Whether something was deleted since the file was last written anew.
  public var isCompactionDue: Bool
  /// How many bytes of text stand between the rows, in unused space and in unused pages.
  ///
  /// That there are such pages says nothing: a note that became shorter leaves them, overwritten.
  public var textBytes: Int
  /// How many bytes the file should have.
  public var fileSize: Int64
}

extension Catalog {
  /// Copies the catalog into memory, page by page as it is, unused space and all.
  ///
  /// - Throws: ``CatalogError``.
  public func copy() throws(CatalogError) -> CatalogCopy {
    let isCompactionDue = try isCompactionDue()
    return try catalogErrors(name) {
      let copy = try DatabaseQueue(configuration: .catalog(.writing))
      try queue.backup(to: copy)
      return CatalogCopy(queue: copy, name: name, isCompactionDue: isCompactionDue)
    }
  }
}

/// A catalog as it was at one moment, in memory.
public struct CatalogCopy: Sendable {
  let queue: DatabaseQueue
  let name: String
  let isCompactionDue: Bool

  /// Looks for what was deleted and may still be found in the catalog's file.
  ///
  /// SQLite writes the copy anew, which leaves only what the rows and their indexes hold:
  /// ``ForeignText`` compares the two. That takes five times the size of the file and a hundred
  /// megabytes more, and some seconds where it has tens of megabytes. It can be asked once: then the
  /// unused space is gone.
  ///
  /// - Throws: ``CatalogError``, also when the file is too damaged to be written anew.
  public func traces() throws(CatalogError) -> CatalogTraces {
    try catalogErrors(name) {
      try queue.writeWithoutTransaction { db in
        let asItIs = try db.bytes()
        try db.execute(sql: "VACUUM")
        return CatalogTraces(
          isCompactionDue: isCompactionDue,
          textBytes: ForeignText.bytes(in: asItIs, notIn: try db.bytes()),
          fileSize: Int64(asItIs.count))
      }
    }
  }
}

extension Database {
  /// The database as its file would hold it. The corresponding C function is `sqlite3_serialize`.
  fileprivate func bytes() throws -> [UInt8] {
    var count: Int64 = 0
    guard let bytes = unsafe clinux_sqlite3_serialize(sqliteConnection, &count) else {
      throw DatabaseError(resultCode: .SQLITE_NOMEM)
    }
    defer { unsafe sqlite3_free(bytes) }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }
}
