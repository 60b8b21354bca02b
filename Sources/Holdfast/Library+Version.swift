internal import HoldfastCatalog

extension Library {
  /// The version of SQLite that keeps catalogs.
  public static var databaseVersion: String { Catalog.databaseVersion }
}
