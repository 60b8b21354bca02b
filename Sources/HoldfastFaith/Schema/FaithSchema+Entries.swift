import Holdfast

private typealias Rule = ColumnConstraint

extension FaithSchema {
  /// Entries with their tags and photos. The drawing is the last column: it may fill a thousand
  /// pages, and SQLite would read them all to reach a later column.
  static let entries = """
    CREATE TABLE journalEntry (
      \(id),
      title TEXT NOT NULL \(Rule.name("title", atMost: FaithLimit.title)),
      content TEXT NOT NULL \(Rule.text("content", atMost: FaithLimit.content)),
      \(moment("date")),
      mood TEXT \(Rule.trimmedName("mood", atMost: FaithLimit.mood)),
      foldedMood TEXT,
      location TEXT \(Rule.text("location", atMost: FaithLimit.location)),
      isPrivate INTEGER NOT NULL \(Rule.flag("isPrivate")),
      \(recording),
      \(Rule.dates),
      searchText TEXT NOT NULL,
      drawing BLOB
        CONSTRAINT "drawing has at most 5 MiB" CHECK (length(drawing) <= \(FaithLimit.drawing))
    ) STRICT, WITHOUT ROWID;
    -- With what is counted, so that no count reads the texts.
    CREATE INDEX journalEntry_recent ON journalEntry (
      date DESC, id, isPrivate, dateOffset, recordingId);
    CREATE INDEX journalEntry_shown ON journalEntry (isPrivate, date DESC, id, searchText);
    CREATE INDEX journalEntry_mood ON journalEntry (foldedMood, date DESC, id)
      WHERE foldedMood IS NOT NULL;
    -- The counts of moods.
    CREATE INDEX journalEntry_moods ON journalEntry (date, dateOffset, isPrivate, foldedMood, mood)
      WHERE foldedMood IS NOT NULL;
    \(linkIndex("journalEntry", newest: "date"))

    CREATE TABLE entryPhoto (
      journalEntryId TEXT NOT NULL REFERENCES journalEntry (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      reference TEXT NOT NULL \(photoReference("reference")),
      PRIMARY KEY (journalEntryId, position)
    ) STRICT, WITHOUT ROWID;

    \(tags("entryTag", of: "journalEntry"))
    """

  /// Prayers with their tags. An answered prayer has an answer date, and an active one has none.
  static let prayers = """
    CREATE TABLE prayer (
      \(id),
      title TEXT NOT NULL \(Rule.name("title", atMost: FaithLimit.title)),
      details TEXT NOT NULL \(Rule.text("details", atMost: FaithLimit.details)),
      \(moment("date")),
      status TEXT NOT NULL \(Rule.word("status", PrayerStatus.self)),
      answerDate TEXT \(Rule.moment("answerDate")),
      answerNotes TEXT \(Rule.text("answerNotes", atMost: FaithLimit.notes)),
      isPrivate INTEGER NOT NULL \(Rule.flag("isPrivate")),
      \(recording),
      \(Rule.dates),
      searchText TEXT NOT NULL,
      CONSTRAINT "an active prayer has no answer" CHECK (status <> 'Active' OR answerDate IS NULL),
      CONSTRAINT "an answered prayer has an answerDate"
        CHECK (status <> 'Answered' OR answerDate IS NOT NULL),
      CONSTRAINT "answerNotes need an answerDate"
        CHECK (answerNotes IS NULL OR answerDate IS NOT NULL),
      CONSTRAINT "answerDate is on the prayer's day or later" CHECK (answerDate IS NULL
        OR date(answerDate, dateOffset || ' minutes') >= date(date, dateOffset || ' minutes'))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX prayer_recent ON prayer (date DESC, id, isPrivate, dateOffset, recordingId);
    CREATE INDEX prayer_status ON prayer (status, isPrivate, date DESC, id);
    CREATE INDEX prayer_answered ON prayer (answerDate, isPrivate, date, dateOffset, id)
      WHERE answerDate IS NOT NULL;
    \(linkIndex("prayer", newest: "date"))

    \(tags("prayerTag", of: "prayer"))
    """

  /// Moods logged without an entry. The moods of entries are in the entries' table.
  static let moods = """
    CREATE TABLE moodEntry (
      \(id),
      mood TEXT NOT NULL \(Rule.trimmedName("mood", atMost: FaithLimit.mood)),
      foldedMood TEXT NOT NULL,
      \(moment("date")),
      notes TEXT \(Rule.text("notes", atMost: FaithLimit.notes)),
      \(recording),
      \(Rule.dates)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX moodEntry_recent ON moodEntry (date DESC, id, mood);
    CREATE INDEX moodEntry_mood ON moodEntry (foldedMood, date DESC, id);
    -- The counts of moods.
    CREATE INDEX moodEntry_moods ON moodEntry (date, dateOffset, foldedMood, mood);
    \(linkIndex("moodEntry", newest: "date"))
    """

  static let prompts = """
    CREATE TABLE journalPrompt (
      \(id),
      prompt TEXT NOT NULL \(Rule.name("prompt", atMost: FaithLimit.prompt)),
      category TEXT NOT NULL \(Rule.text("category", atMost: FaithLimit.category)),
      foldedCategory TEXT NOT NULL,
      usedDate TEXT \(Rule.moment("usedDate")),
      entryId TEXT REFERENCES journalEntry (id) ON DELETE SET NULL,
      \(Rule.dates)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX journalPrompt_next ON journalPrompt (usedDate, createdAt, id);
    CREATE INDEX journalPrompt_category ON journalPrompt (
      foldedCategory, usedDate, createdAt, id);
    CREATE INDEX journalPrompt_entry ON journalPrompt (entryId) WHERE entryId IS NOT NULL;
    """
}
