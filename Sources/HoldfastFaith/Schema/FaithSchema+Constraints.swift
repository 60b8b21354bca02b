import Holdfast

extension FaithSchema {
  /// The key of a table whose records have a UUID.
  static let id = "id TEXT NOT NULL PRIMARY KEY \(ColumnConstraint.uuid("id"))"

  /// A moment, and the offset of the zone in which it was written.
  static func moment(_ column: String) -> String {
    """
    \(column) TEXT NOT NULL \(ColumnConstraint.moment(column)),
      \(column)Offset INTEGER NOT NULL \(ColumnConstraint.offset("\(column)Offset"))
    """
  }

  /// A relative reference to a photo, without a scheme.
  static func photoReference(_ column: String) -> String {
    """
    \(ColumnConstraint.name(column, atMost: FaithLimit.photo))
        CONSTRAINT "\(column) is relative, and leads nowhere else" CHECK (
          \(column) NOT LIKE '/%' AND '/' || \(column) || '/' NOT LIKE '%/../%'
          AND instr(\(column), '\\') = 0)
        CONSTRAINT "\(column) has no scheme" CHECK (
          instr(substr(\(column), 1, instr(\(column) || '/', '/') - 1), ':') = 0)
    """
  }

  /// The link to a recording.
  static let recording = "recordingId TEXT REFERENCES recording (id) ON DELETE SET NULL"

  /// The index of a table's linked records by their recording.
  static func linkIndex(_ table: String, newest: String) -> String {
    """
    CREATE INDEX \(table)_recording ON \(table) (recordingId, \(newest) DESC, id)
      WHERE recordingId IS NOT NULL;
    """
  }

  /// The table of the tags of a kind's records.
  ///
  /// The columns of the key come first. With others between them, `PRAGMA integrity_check` of
  /// SQLite 3.40 confuses two columns.
  static func tags(_ table: String, of owner: String) -> String {
    """
    CREATE TABLE \(table) (
      \(owner)Id TEXT NOT NULL REFERENCES \(owner) (id) ON DELETE CASCADE,
      foldedTag TEXT NOT NULL,
      position INTEGER NOT NULL \
    \(ColumnConstraint.integer("position", 0...FaithLimit.tagCount - 1)),
      tag TEXT NOT NULL \(ColumnConstraint.trimmedName("tag", atMost: FaithLimit.tag)),
      PRIMARY KEY (\(owner)Id, foldedTag)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX \(table)_tag ON \(table) (foldedTag, \(owner)Id);
    """
  }
}
