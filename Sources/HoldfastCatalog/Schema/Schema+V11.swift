import HoldfastModel

extension Schema {
  /// Migration "v11": transcripts of recordings, and counts for an index of their words.
  ///
  /// An index is kept in a file of its own. It reads the transcripts whose `revision` is greater
  /// than the count of changes that it has seen. If `removed` has grown, words that it has may be
  /// gone.
  static let v11 = """
    CREATE TABLE transcript (
      id TEXT NOT NULL PRIMARY KEY REFERENCES recording (id) ON DELETE CASCADE
        \(ColumnConstraint.uuid("id")),
      state TEXT NOT NULL CONSTRAINT "state is a known one"
        CHECK (state IN ('words', 'silent', 'deleted', 'never')),
      source TEXT NOT NULL CONSTRAINT "source is a known one"
        CHECK (source IN ('phone', 'program', 'person')),
      program TEXT \(ColumnConstraint.name("program", atMost: 100)),
      model TEXT \(ColumnConstraint.name("model", atMost: 100)),
      language TEXT \(ColumnConstraint.name("language", atMost: 35)),
      isLanguageDoubtful INTEGER NOT NULL \(ColumnConstraint.flag("isLanguageDoubtful")),
      \(ColumnConstraint.dates),
      -- The count of changes after the last change of this row.
      revision INTEGER NOT NULL DEFAULT 0,
      CONSTRAINT "a person's transcript has the time of the change, and no other has it"
        CHECK ((source = 'person') = (modifiedAt IS NOT NULL)),
      CONSTRAINT "only a person decides that there is no transcript"
        CHECK (state IN ('words', 'silent') OR source = 'person')
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX transcript_revision ON transcript (revision);

    -- Times are in milliseconds from the beginning of the recording.
    CREATE TABLE transcriptSegment (
      transcriptId TEXT NOT NULL REFERENCES transcript (id) ON DELETE CASCADE ON UPDATE CASCADE,
      position INTEGER NOT NULL \(ColumnConstraint.integer("position", 0...4999)),
      startTime INTEGER NOT NULL CONSTRAINT "startTime is 0 or more" CHECK (startTime >= 0),
      endTime INTEGER NOT NULL
        CONSTRAINT "endTime is not before startTime, and at most a day"
        CHECK (endTime BETWEEN startTime AND 86400000),
      text TEXT NOT NULL \(ColumnConstraint.name("text", atMost: 1_000_000)),
      wordTimes TEXT \(ColumnConstraint.name("wordTimes", atMost: 1_000_000)),
      PRIMARY KEY (transcriptId, position)
    ) STRICT, WITHOUT ROWID;

    -- How often transcripts were added or changed, and how often words may have been removed. The
    -- counts never decrease, and are not exported.
    CREATE TABLE wordGeneration (
      id INTEGER NOT NULL PRIMARY KEY CONSTRAINT "there is one generation" CHECK (id = 1),
      added INTEGER NOT NULL CONSTRAINT "added is 0 or more" CHECK (added >= 0),
      removed INTEGER NOT NULL CONSTRAINT "removed is 0 or more" CHECK (removed >= 0)
    ) STRICT;

    INSERT INTO wordGeneration (id, added, removed) VALUES (1, 0, 0);

    CREATE TRIGGER transcript_inserted AFTER INSERT ON transcript BEGIN
      UPDATE wordGeneration SET added = added + 1;
      UPDATE transcript SET revision = (SELECT added FROM wordGeneration) WHERE id = NEW.id;
    END;

    -- Without revision among its columns, the trigger does not run itself.
    CREATE TRIGGER transcript_updated AFTER UPDATE OF
      id, state, source, program, model, language, isLanguageDoubtful, createdAt, modifiedAt
    ON transcript BEGIN
      UPDATE wordGeneration SET added = added + 1, removed = removed + 1;
      UPDATE transcript SET revision = (SELECT added FROM wordGeneration) WHERE id = NEW.id;
    END;

    CREATE TRIGGER transcript_deleted AFTER DELETE ON transcript BEGIN
      UPDATE wordGeneration SET removed = removed + 1;
    END;
    """
}
