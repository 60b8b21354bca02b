extension Schema {
  /// Migration "v2": cravings, usage, messages, and an index for each order of the recordings.
  ///
  /// It also adds the marks of an erasure under way and of a compaction that is due.
  ///
  /// Small tables with an ID as key have no `rowid`. The table itself is then sorted by the IDs,
  /// and each look-up is one search instead of two.
  static let v2 =
    """
    -- What is being erased, by the name of its folder in .trash; NULL but for a moment.
    ALTER TABLE library ADD COLUMN erasing TEXT
      CONSTRAINT "erasing is an upper-case UUID" CHECK (\(isUUID("erasing")));

    -- Whether deleted rows may still be found in the file, and it is to be written anew.
    ALTER TABLE library ADD COLUMN compactionDue INTEGER NOT NULL DEFAULT 0
      CONSTRAINT "compactionDue is 0 or 1" CHECK (compactionDue IN (0, 1));

    -- A title is a text, or there is none.
    UPDATE recording SET title = NULL WHERE title = '';

    -- A search walks the list, newest first, and reads nothing but this index until it has found.
    DROP INDEX recording_recent;
    CREATE INDEX recording_recent ON recording (timestamp DESC, id, searchText);
    CREATE INDEX recording_type ON recording (type, timestamp DESC, id);
    CREATE INDEX recording_purpose ON recording (purpose, timestamp DESC, id);
    CREATE INDEX recording_longest ON recording (duration DESC, id);
    -- The folded title is the first line of searchText; those without one come last, newest first.
    CREATE INDEX recording_title ON recording (
      title IS NULL,
      iif(title IS NULL, NULL, substr(searchText, 1, instr(searchText, char(10)))),
      timestamp DESC, id);

    CREATE TABLE craving (
      id TEXT NOT NULL PRIMARY KEY
        CONSTRAINT "id is an upper-case UUID" CHECK (\(isUUID("id"))),
      timestamp TEXT NOT NULL
        CONSTRAINT "timestamp is a UTC date and time" CHECK (\(isMoment("timestamp"))),
      intensity INTEGER NOT NULL
        CONSTRAINT "intensity goes from 1 to 10" CHECK (intensity BETWEEN 1 AND 10),
      \(location),
      \(notes),
      recordingId TEXT REFERENCES recording (id) ON DELETE SET NULL,
      \(dates)
    ) STRICT, WITHOUT ROWID;

    -- Newest first, and with what is counted and averaged over a period at hand.
    CREATE INDEX craving_recent ON craving (timestamp DESC, id, intensity, location, recordingId);
    -- Which cravings did a recording help with?
    CREATE INDEX craving_recording ON craving (recordingId, timestamp DESC, id)
      WHERE recordingId IS NOT NULL;

    \(triggers(of: "craving"))

    CREATE TABLE usage (
      id TEXT NOT NULL PRIMARY KEY
        CONSTRAINT "id is an upper-case UUID" CHECK (\(isUUID("id"))),
      timestamp TEXT NOT NULL
        CONSTRAINT "timestamp is a UTC date and time" CHECK (\(isMoment("timestamp"))),
      method TEXT NOT NULL
        CONSTRAINT "method is a known one"
        CHECK (method IN ('Bowls', 'Joints', 'Blunts', 'Vape', 'Dab', 'Edible')),
      amount REAL NOT NULL
        CONSTRAINT "amount is more than 0" CHECK (amount > 0),
      \(location),
      \(notes),
      \(dates),
      CONSTRAINT "amount fits the method" CHECK (
        CASE method
          WHEN 'Vape' THEN amount BETWEEN 1 AND 10 AND amount = round(amount)
          WHEN 'Dab' THEN amount BETWEEN 1 AND 5 AND amount = round(amount)
          WHEN 'Edible' THEN amount BETWEEN 5 AND 100 AND amount / 5 = round(amount / 5)
          ELSE amount BETWEEN 0.5 AND 5 AND amount * 2 = round(amount * 2)
        END)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX usage_recent ON usage (timestamp DESC, id);
    -- One method, newest first, and with the amount at hand.
    CREATE INDEX usage_method ON usage (method, timestamp DESC, id, amount);

    \(triggers(of: "usage"))

    CREATE TABLE message (
      id TEXT NOT NULL PRIMARY KEY
        CONSTRAINT "id is an upper-case UUID" CHECK (\(isUUID("id"))),
      content TEXT NOT NULL
        CONSTRAINT "content is not empty"
        CHECK (trim(content, ' ' || char(9, 10, 11, 12, 13)) <> '')
        CONSTRAINT "content has at most 500 characters"
        CHECK (length(content) <= 500 AND instr(content, char(0)) = 0),
      category TEXT NOT NULL
        CONSTRAINT "category is a known one"
        CHECK (category IN ('urge', 'anxiety', 'boredom', 'social', 'celebration')),
      isCustom INTEGER NOT NULL
        CONSTRAINT "isCustom is 0 or 1" CHECK (isCustom IN (0, 1)),
      priority INTEGER NOT NULL
        CONSTRAINT "priority is 0 or more" CHECK (priority >= 0),
      timesShown INTEGER NOT NULL DEFAULT 0
        CONSTRAINT "timesShown is 0 or more" CHECK (timesShown >= 0),
      lastShownAt TEXT
        CONSTRAINT "lastShownAt is a UTC date and time" CHECK (\(isMoment("lastShownAt"))),
      isActive INTEGER NOT NULL DEFAULT 1
        CONSTRAINT "isActive is 0 or 1" CHECK (isActive IN (0, 1)),
      \(dates)
    ) STRICT, WITHOUT ROWID;

    \(v2Messages)

    CREATE TRIGGER message_default_stays BEFORE DELETE ON message WHEN NOT OLD.isCustom
    BEGIN SELECT RAISE(ABORT, 'a default message can be hidden, not deleted'); END;

    CREATE TRIGGER message_default_keepsItsWords BEFORE UPDATE ON message
    WHEN OLD.isCustom <> NEW.isCustom OR (NOT OLD.isCustom AND (
      OLD.content <> NEW.content OR OLD.category <> NEW.category OR OLD.priority <> NEW.priority))
    BEGIN SELECT RAISE(ABORT, 'a default message can be hidden, not changed'); END;

    -- What REPLACE puts away is no deletion to a trigger.
    CREATE TRIGGER message_default_isNotReplaced BEFORE INSERT ON message
    WHEN EXISTS (SELECT 1 FROM message WHERE id = NEW.id AND NOT isCustom AND (NEW.isCustom
      OR content <> NEW.content OR category <> NEW.category OR priority <> NEW.priority))
    BEGIN SELECT RAISE(ABORT, 'a default message can be hidden, not changed'); END;

    CREATE TRIGGER message_keepsItsID BEFORE UPDATE ON message WHEN OLD.id <> NEW.id
    BEGIN SELECT RAISE(ABORT, 'a message keeps its id'); END;
    """

  private static let notes = """
    notes TEXT
        CONSTRAINT "notes have at most 500 characters"
        CHECK (length(notes) <= 500 AND instr(notes, char(0)) = 0)
    """

  private static let dates = """
    createdAt TEXT NOT NULL
        CONSTRAINT "createdAt is a UTC date and time" CHECK (\(isMoment("createdAt"))),
      modifiedAt TEXT NOT NULL
        CONSTRAINT "modifiedAt is a UTC date and time" CHECK (\(isMoment("modifiedAt")))
    """

  /// A kind of place, or two decimal numbers in their ranges with a comma between them.
  private static let location = """
    location TEXT
        CONSTRAINT "location is a known one, or latitude,longitude"
        CHECK (location IN ('Home', 'Work', 'Social', 'Outside', 'Car') OR (
          location GLOB '*[0-9],*[0-9]' AND location NOT GLOB '*,*,*'
          AND instr(location, char(0)) = 0
          AND \(isDegrees("substr(location, 1, instr(location, ',') - 1)", 90))
          AND \(isDegrees("substr(location, instr(location, ',') + 1)", 180))))
    """

  /// Returns the SQL condition that a text is a number in the range.
  ///
  /// It is written with digits, at most one point, and a sign only at the start.
  private static func isDegrees(_ text: String, _ limit: Int) -> String {
    """
    ltrim(\(text), '-') GLOB '[0-9]*'
          AND \(text) NOT GLOB '*[^0-9.-]*' AND \(text) NOT GLOB '?*-*' AND \(text) NOT GLOB '*.*.*'
          AND CAST(\(text) AS REAL) BETWEEN -\(limit) AND \(limit)
    """
  }

  /// Returns the table of the triggers of one kind of entry.
  ///
  /// The primary key finds the entries with a trigger. The index finds the triggers of an entry.
  private static func triggers(of table: String) -> String {
    """
    CREATE TABLE \(table)Trigger (
      trigger TEXT NOT NULL
        CONSTRAINT "trigger is a known one"
        CHECK (trigger IN ('Hungry', 'Angry', 'Anxious', 'Lonely', 'Tired', 'Sad', 'Bored',
          'Social', 'Habit', 'Paraphernalia')),
      \(table)Id TEXT NOT NULL REFERENCES \(table) (id) ON DELETE CASCADE,
      PRIMARY KEY (trigger, \(table)Id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX \(table)Trigger_\(table) ON \(table)Trigger (\(table)Id);
    """
  }
}
