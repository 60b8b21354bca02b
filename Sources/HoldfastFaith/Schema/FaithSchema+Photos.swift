import Holdfast

private typealias Rule = ColumnConstraint

extension FaithSchema {
  /// The photos of entries, whose files are in the library. The references that are only text stay
  /// in `entryPhoto`.
  ///
  /// An entry cannot be deleted before its photos, so that no file is left without a row.
  static let photos = """
    CREATE TABLE entryPhotoFile (
      \(id),
      entryId TEXT NOT NULL REFERENCES journalEntry (id) ON DELETE RESTRICT,
      position INTEGER NOT NULL CONSTRAINT "position is from 0" CHECK (position >= 0),
      name TEXT NOT NULL \(Rule.name("name", atMost: FaithLimit.photo)),
      width INTEGER NOT NULL \(Rule.integer("width", 1...65_535)),
      height INTEGER NOT NULL \(Rule.integer("height", 1...65_535)),
      fileSize INTEGER NOT NULL CONSTRAINT "fileSize is positive" CHECK (fileSize > 0),
      fileSHA256 TEXT NOT NULL CONSTRAINT "fileSHA256 has 64 digits"
        CHECK (length(fileSHA256) = 64 AND fileSHA256 NOT GLOB '*[^0-9a-f]*'),
      \(Rule.dates),
      verifiedAt TEXT \(Rule.moment("verifiedAt")),
      fault TEXT CONSTRAINT "fault is missing or damaged" CHECK (fault IN ('missing', 'damaged')),
      faultySince TEXT \(Rule.moment("faultySince"))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entryPhotoFile_entry ON entryPhotoFile (entryId, position, createdAt, id);
    CREATE INDEX entryPhotoFile_hash ON entryPhotoFile (fileSHA256);
    CREATE INDEX entryPhotoFile_size ON entryPhotoFile (fileSize);
    """
}
