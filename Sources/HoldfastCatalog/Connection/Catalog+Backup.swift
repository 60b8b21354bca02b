internal import GRDB
internal import HoldfastModel

extension Catalog {
  /// Copies the whole catalog into an empty file, in one step.
  ///
  /// The caller holds the writer lock: in several steps, SQLite would begin again at each write.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: ``CatalogError``.
  /// - SeeAlso: https://sqlite.org/backup.html
  public func copy(to path: String) throws(CatalogError) {
    try catalogErrors(path) {
      var configuration = Configuration()
      configuration.label = "Copy of the catalog"
      let copy = try DatabaseQueue(checkedAt: path, configuration)
      try queue.backup(to: copy)
      try copy.close()
    }
  }
}
