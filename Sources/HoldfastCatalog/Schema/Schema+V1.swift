extension Schema {
  /// Migration "v1": the library and its recordings.
  ///
  /// A person reads a constraint's name when it refuses a row. `GLOB` is used and not `LIKE`,
  /// because it is case-sensitive. `conversion` comes last, so that a search need not read it.
  static let v1 = """
    CREATE TABLE library (
      onlyRow INTEGER PRIMARY KEY CONSTRAINT "a catalog has one library" CHECK (onlyRow = 1),
      uuid TEXT NOT NULL CONSTRAINT "uuid is an upper-case UUID" CHECK (\(isUUID("uuid"))),
      formatVersion INTEGER NOT NULL
        CONSTRAINT "formatVersion is 1 or more" CHECK (formatVersion >= 1)
    ) STRICT;

    CREATE TABLE recording (
      id TEXT NOT NULL PRIMARY KEY
        CONSTRAINT "id is an upper-case UUID" CHECK (\(isUUID("id"))),
      timestamp TEXT NOT NULL
        CONSTRAINT "timestamp is a UTC date and time" CHECK (\(isMoment("timestamp"))),
      timestampOffset INTEGER
        CONSTRAINT "timestampOffset is less than a day"
        CHECK (timestampOffset BETWEEN -1439 AND 1439),
      timestampSource TEXT NOT NULL
        CONSTRAINT "timestampSource is a known one"
        CHECK (timestampSource IN ('quickTime', 'container', 'fileName', 'modificationTime')),
      type TEXT NOT NULL
        CONSTRAINT "type is video or audio" CHECK (type IN ('video', 'audio')),
      purpose TEXT NOT NULL DEFAULT 'motivational'
        CONSTRAINT "purpose is a known one"
        CHECK (purpose IN ('motivational', 'milestone', 'reflection', 'craving')),
      duration REAL NOT NULL
        CONSTRAINT "duration is more than 0 and at most 120.1"
        CHECK (duration > 0 AND duration <= 120.1),
      filePath TEXT NOT NULL UNIQUE
        CONSTRAINT "filePath is under Recordings/ and free of .."
        CHECK (filePath GLOB 'Recordings/?*' AND filePath NOT GLOB '*..*'),
      thumbnailPath TEXT
        CONSTRAINT "thumbnailPath is under Recordings/ and free of .."
        CHECK (thumbnailPath GLOB 'Recordings/?*' AND thumbnailPath NOT GLOB '*..*'),
      title TEXT
        CONSTRAINT "title has at most 200 characters" CHECK (length(title) <= 200),
      notes TEXT
        CONSTRAINT "notes have at most 5000 characters" CHECK (length(notes) <= 5000),
      playCount INTEGER NOT NULL DEFAULT 0
        CONSTRAINT "playCount is 0 or more" CHECK (playCount >= 0),
      lastPlayedAt TEXT
        CONSTRAINT "lastPlayedAt is a UTC date and time" CHECK (\(isMoment("lastPlayedAt"))),
      createdAt TEXT NOT NULL
        CONSTRAINT "createdAt is a UTC date and time" CHECK (\(isMoment("createdAt"))),
      modifiedAt TEXT NOT NULL
        CONSTRAINT "modifiedAt is a UTC date and time" CHECK (\(isMoment("modifiedAt"))),
      originalFilename TEXT NOT NULL
        CONSTRAINT "originalFilename is not empty" CHECK (originalFilename <> ''),
      sourceSHA256 TEXT NOT NULL
        CONSTRAINT "sourceSHA256 is a SHA-256 digest" CHECK (\(isDigest("sourceSHA256"))),
      part INTEGER NOT NULL DEFAULT 1,
      partCount INTEGER NOT NULL DEFAULT 1,
      fileSize INTEGER NOT NULL
        CONSTRAINT "fileSize is more than 0" CHECK (fileSize > 0),
      fileSHA256 TEXT NOT NULL
        CONSTRAINT "fileSHA256 is a SHA-256 digest" CHECK (\(isDigest("fileSHA256"))),
      thumbnailSHA256 TEXT
        CONSTRAINT "thumbnailSHA256 is a SHA-256 digest" CHECK (\(isDigest("thumbnailSHA256"))),
      width INTEGER CONSTRAINT "width is more than 0" CHECK (width > 0),
      height INTEGER CONSTRAINT "height is more than 0" CHECK (height > 0),
      searchText TEXT NOT NULL,
      conversion TEXT,
      CONSTRAINT "part is between 1 and partCount" CHECK (part BETWEEN 1 AND partCount),
      CONSTRAINT "a video has a thumbnail and audio has none"
        CHECK ((type = 'video') = (thumbnailPath IS NOT NULL)),
      CONSTRAINT "audio has no thumbnailSHA256"
        CHECK (type = 'video' OR thumbnailSHA256 IS NULL),
      CONSTRAINT "width and height come together, with a video"
        CHECK ((width IS NULL) = (height IS NULL) AND (type = 'video' OR width IS NULL))
    ) STRICT;

    -- The list, newest first: the order in which recordings are most often asked for.
    CREATE INDEX recording_recent ON recording (timestamp DESC, id);
    -- The list, most played first; most rows share a count of 0, hence the other two columns.
    CREATE INDEX recording_played ON recording (playCount DESC, timestamp DESC, id);
    -- "Is this source known already?", asked of every file that is imported.
    CREATE INDEX recording_source ON recording (sourceSHA256);
    -- The same question, of a file that came out of a library.
    CREATE INDEX recording_file ON recording (fileSHA256);
    """

  /// 36 characters: 32 upper-case hexadecimal digits and 4 dashes in their places.
  static func isUUID(_ column: String) -> String {
    """
    \(column) GLOB '????????-????-????-????-????????????' AND \(column) NOT GLOB '*[^0-9A-F-]*'
        AND length(replace(\(column), '-', '')) = 32
    """
  }

  /// 64 lower-case hexadecimal digits.
  static func isDigest(_ column: String) -> String {
    "length(\(column)) = 64 AND \(column) NOT GLOB '*[^0-9a-f]*'"
  }

  /// `yyyy-MM-dd HH:mm:ss.SSS`, which sorts as text in the order of time.
  static func isMoment(_ column: String) -> String {
    let (two, three) = ("[0-9][0-9]", "[0-9][0-9][0-9]")
    return "\(column) GLOB '\(two)\(two)-\(two)-\(two) \(two):\(two):\(two).\(three)'"
  }
}
