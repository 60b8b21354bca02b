extension Schema {
  /// Migration "v10": the sources that were examined, so that none is read twice.
  ///
  /// A refused source is also recognized by its content, under any name.
  static let v10 = """
    -- The sources that were looked at. No names are kept: the identity is a hash of a file's path,
    -- size and times.
    CREATE TABLE seenSource (
      identity TEXT NOT NULL PRIMARY KEY
        CONSTRAINT "identity is a SHA-256 digest" CHECK (\(isDigest("identity"))),
      -- The rules that it broke; NULL if its recording was imported.
      refusedBy TEXT CONSTRAINT "refusedBy is not blank" \
    CHECK (length(refusedBy) BETWEEN 1 AND 200),
      -- Of the content of a refused source, if it was read.
      hash TEXT
        CONSTRAINT "hash is a SHA-256 digest" CHECK (\(isDigest("hash")))
        CONSTRAINT "hash is of a refused source" CHECK (hash IS NULL OR refusedBy IS NOT NULL)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX seenSource_hash ON seenSource (hash) WHERE hash IS NOT NULL;
    """
}
