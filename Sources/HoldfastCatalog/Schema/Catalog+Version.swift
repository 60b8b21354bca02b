internal import CLinux

extension Catalog {
  /// The version of SQLite in use.
  ///
  /// The corresponding C function is `sqlite3_libversion`.
  public static var databaseVersion: String { unsafe String(cString: sqlite3_libversion()) }
}
