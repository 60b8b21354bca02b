import HoldfastModel

extension Schema {
  /// Migration "v13": when an app last had a record's version, for merging libraries that import
  /// the same app.
  static let v13 = """
    -- A row can outlive its record until the catalog is compacted.
    CREATE TABLE appVersion (
      kind TEXT NOT NULL \(ColumnConstraint.name("kind", atMost: 100)),
      id TEXT NOT NULL \(ColumnConstraint.name("id", atMost: 200)),
      importedAt TEXT NOT NULL
        CONSTRAINT "importedAt is a UTC date and time" CHECK (\(isMoment("importedAt"))),
      PRIMARY KEY (kind, id)
    ) STRICT, WITHOUT ROWID;
    """
}
