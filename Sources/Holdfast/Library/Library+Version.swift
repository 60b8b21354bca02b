internal import HoldfastCatalog

extension Library {
  /// Holdfast's own version.
  public static let version = "0.9.0"

  /// The version of SQLite that stores the catalog.
  public static var databaseVersion: String { Catalog.databaseVersion }
}
