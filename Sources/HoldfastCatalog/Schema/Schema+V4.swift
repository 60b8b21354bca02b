extension Schema {
  /// Migration "v4": how each thumbnail was made, so that it can be remade in the same way.
  ///
  /// If a video has no row here, it is not known how its thumbnail was made.
  static let v4 = """
    CREATE TABLE thumbnail (
      recordingId TEXT NOT NULL PRIMARY KEY REFERENCES recording (id) ON DELETE CASCADE,
      longSide INTEGER NOT NULL
        CONSTRAINT "longSide is more than 0" CHECK (longSide > 0),
      quality INTEGER NOT NULL
        CONSTRAINT "quality goes from 1 to 100" CHECK (quality BETWEEN 1 AND 100),
      -- The time that a person asked for, in seconds; NULL for none.
      asked REAL
        CONSTRAINT "asked is 0 or more" CHECK (asked >= 0),
      time REAL NOT NULL
        CONSTRAINT "time is 0 or more" CHECK (time >= 0),
      score REAL NOT NULL
        CONSTRAINT "score goes from 0 to 1" CHECK (score BETWEEN 0 AND 1),
      reason TEXT NOT NULL
        CONSTRAINT "reason is a known one"
        CHECK (reason IN ('usual', 'dark', 'bright', 'flat', 'blurred', 'asked')),
      CONSTRAINT "reason is asked when a time was"
        CHECK ((asked IS NOT NULL) = (reason = 'asked'))
    ) STRICT, WITHOUT ROWID;
    """
}
