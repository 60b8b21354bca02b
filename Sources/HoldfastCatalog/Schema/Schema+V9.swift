extension Schema {
  /// Migration "v9": data for merging two libraries.
  ///
  /// * Plays are counted for each replica of a library, so that a merge can keep the larger count
  ///   of each. Earlier plays count for the replica that has the library's own UUID.
  /// * A recording that a merge found to be the same as another keeps both IDs.
  /// * A recording whose row was rebuilt from its file is marked.
  static let v9 = """
    -- A recording's playCount is the sum of these.
    CREATE TABLE plays (
      recordingId TEXT NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
      replica TEXT NOT NULL
        CONSTRAINT "replica is an upper-case UUID" CHECK (\(isUUID("replica"))),
      count INTEGER NOT NULL CONSTRAINT "count is 1 or more" CHECK (count >= 1),
      PRIMARY KEY (recordingId, replica)
    ) STRICT, WITHOUT ROWID;

    INSERT INTO plays (recordingId, replica, count)
    SELECT id, (SELECT uuid FROM library), playCount FROM recording WHERE playCount > 0;

    -- The replicas by their places. A place is a folder on one computer, as a hash.
    CREATE TABLE replica (
      place TEXT NOT NULL PRIMARY KEY
        CONSTRAINT "place is a SHA-256 digest" CHECK (\(isDigest("place"))),
      id TEXT NOT NULL UNIQUE CONSTRAINT "id is an upper-case UUID" CHECK (\(isUUID("id")))
    ) STRICT, WITHOUT ROWID;

    -- Other IDs of a recording.
    CREATE TABLE alias (
      id TEXT NOT NULL PRIMARY KEY
        CONSTRAINT "id is an upper-case UUID" CHECK (\(isUUID("id"))),
      recordingId TEXT NOT NULL REFERENCES recording (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX alias_recording ON alias (recordingId);

    -- When its row was made from its file, because no other row was left; NULL for all others.
    ALTER TABLE recording ADD COLUMN rebuiltAt TEXT
      CONSTRAINT "rebuiltAt is a UTC date and time" CHECK (\(isMoment("rebuiltAt")));
    """
}
