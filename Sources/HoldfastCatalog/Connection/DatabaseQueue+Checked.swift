import CSQLite
import GRDB
import HoldfastModel

extension DatabaseQueue {
  /// Opens a database in a file, after a check of all files that SQLite would open with it.
  ///
  /// Every database in a file is opened here. SQLite opens anything that has the name of one of its
  /// files: a FIFO would block it for ever, and a link may lead anywhere.
  ///
  /// - Throws: `HoldfastError` for a file that is missing, is not a regular file, or could do
  ///   harm; otherwise GRDB's error.
  convenience init(checkedAt path: String, _ configuration: Configuration) throws {
    // GRDB always passes SQLITE_OPEN_CREATE, which would create a missing file, empty.
    guard let size = try Self.size(path) else { throw HoldfastError.missing(path) }
    guard size >= 0 else { throw HoldfastError.notAFile(path) }
    for suffix in Catalog.fileSuffixes where (try Self.size(path + suffix) ?? 0) < 0 {
      throw HoldfastError.notAFile(besideDatabase: path + suffix)
    }
    // SQLite rolls back an interrupted transaction, and then removes the file that the journal
    // names. Holdfast's transactions have one database, so its journals never name a file.
    guard unsafe holdfast_names_super_journal("\(path)-journal") == 0 else {
      throw HoldfastError.foreignJournal(path)
    }
    try self.init(path: path, configuration: configuration)
  }

  /// Returns the size of a file, and -1 if it is not a regular file; `nil` if it is missing.
  private static func size(_ path: String) throws(HoldfastError) -> Int64? {
    let size = unsafe holdfast_size_of_regular_file(path)
    guard size <= ReadLimit.catalog else { throw .tooLarge(path, size) }
    return size < -1 ? nil : size
  }
}

extension Catalog {
  /// The ends of the names of the files that SQLite may keep beside a database.
  static let fileSuffixes = ["-journal", "-wal", "-shm"]
}
