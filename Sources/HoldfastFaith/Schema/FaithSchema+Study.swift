import Holdfast

private typealias Rule = ColumnConstraint

extension FaithSchema {
  /// Verses: one for each day, and bookmarked ones.
  static let verses = """
    CREATE TABLE verseOfDay (
      \(id),
      day TEXT NOT NULL UNIQUE \(Rule.day("day")),
      \(verse),
      \(Rule.dates)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE bookmarkedVerse (
      \(id),
      \(verse),
      foldedReference TEXT NOT NULL,
      foldedTranslation TEXT NOT NULL,
      notes TEXT \(Rule.text("notes", atMost: FaithLimit.notes)),
      \(Rule.dates),
      UNIQUE (foldedReference, foldedTranslation)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX bookmarkedVerse_recent ON bookmarkedVerse (createdAt DESC, id);
    """

  private static let verse = """
    reference TEXT NOT NULL \(Rule.trimmedName("reference", atMost: FaithLimit.reference)),
      text TEXT NOT NULL \(Rule.name("text", atMost: FaithLimit.verse)),
      translation TEXT NOT NULL \(Rule.text("translation", atMost: FaithLimit.translation))
    """

  static let devotionals = """
    CREATE TABLE devotional (
      \(id),
      title TEXT NOT NULL \(Rule.name("title", atMost: FaithLimit.title)),
      scripture TEXT NOT NULL \(Rule.text("scripture", atMost: FaithLimit.reference)),
      content TEXT NOT NULL \(Rule.text("content", atMost: FaithLimit.content)),
      author TEXT NOT NULL \(Rule.text("author", atMost: FaithLimit.user)),
      day TEXT NOT NULL \(Rule.day("day")),
      category TEXT NOT NULL \(Rule.text("category", atMost: FaithLimit.category)),
      completedAt TEXT \(Rule.moment("completedAt")),
      \(recording),
      \(Rule.dates)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX devotional_recent ON devotional (day DESC, id);
    CREATE INDEX devotional_open ON devotional (day DESC, id) WHERE completedAt IS NULL;
    \(linkIndex("devotional", newest: "day"))
    """

  /// Topics of study with their verses, and plans with their readings.
  static let study = """
    CREATE TABLE studyTopic (
      \(id),
      title TEXT NOT NULL \(Rule.name("title", atMost: FaithLimit.title)),
      details TEXT NOT NULL \(Rule.text("details", atMost: FaithLimit.details)),
      notes TEXT \(Rule.text("notes", atMost: FaithLimit.notes)),
      \(Rule.dates)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX studyTopic_recent ON studyTopic (createdAt DESC, id);

    CREATE TABLE studyTopicVerse (
      topicId TEXT NOT NULL REFERENCES studyTopic (id) ON DELETE CASCADE,
      position INTEGER NOT NULL \(Rule.integer("position", 0...FaithLimit.verseCount - 1)),
      reference TEXT NOT NULL \(Rule.name("reference", atMost: FaithLimit.reference)),
      PRIMARY KEY (topicId, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE readingPlan (
      \(id),
      title TEXT NOT NULL \(Rule.name("title", atMost: FaithLimit.title)),
      details TEXT NOT NULL \(Rule.text("details", atMost: FaithLimit.details)),
      startDay TEXT NOT NULL \(Rule.day("startDay")),
      endDay TEXT NOT NULL \(Rule.day("endDay")),
      \(Rule.dates),
      CONSTRAINT "endDay is startDay or later" CHECK (endDay >= startDay)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX readingPlan_recent ON readingPlan (startDay DESC, id);

    CREATE TABLE readingPlanDay (
      planId TEXT NOT NULL REFERENCES readingPlan (id) ON DELETE CASCADE,
      position INTEGER NOT NULL \(Rule.integer("position", 0...FaithLimit.readingCount - 1)),
      reading TEXT NOT NULL \(Rule.name("reading", atMost: FaithLimit.title)),
      doneAt TEXT \(Rule.moment("doneAt")),
      PRIMARY KEY (planId, position)
    ) STRICT, WITHOUT ROWID;
    -- A check sees only its own table.
    CREATE TRIGGER readingPlanDay_fits BEFORE INSERT ON readingPlanDay
    WHEN NEW.position > (
      SELECT julianday(endDay) - julianday(startDay) FROM readingPlan WHERE id = NEW.planId)
    BEGIN
      SELECT RAISE(ABORT, 'constraint failed: a plan has at most one reading for each day');
    END;
    """
}
