import HoldfastModel

extension Schema {
  /// Migration "v12": a machine's transcript that a person asked for in place of a decision is
  /// dated, and the decision that a recording may be transcribed again is kept.
  ///
  /// It recreates the table, with foreign keys off. The sentences refer to it by its name.
  static let v12 = """
    CREATE TABLE newTranscript (
      id TEXT NOT NULL PRIMARY KEY REFERENCES recording (id) ON DELETE CASCADE
        \(ColumnConstraint.uuid("id")),
      state TEXT NOT NULL CONSTRAINT "state is a known one"
        CHECK (state IN ('words', 'silent', 'deleted', 'never', 'allowed')),
      source TEXT NOT NULL CONSTRAINT "source is a known one"
        CHECK (source IN ('phone', 'program', 'person')),
      program TEXT \(ColumnConstraint.name("program", atMost: 100)),
      model TEXT \(ColumnConstraint.name("model", atMost: 100)),
      language TEXT \(ColumnConstraint.name("language", atMost: 35)),
      isLanguageDoubtful INTEGER NOT NULL \(ColumnConstraint.flag("isLanguageDoubtful")),
      \(ColumnConstraint.dates),
      -- The count of changes after the last change of this row.
      revision INTEGER NOT NULL DEFAULT 0,
      CONSTRAINT "a person's transcript has the time of the change"
        CHECK (source <> 'person' OR modifiedAt IS NOT NULL),
      CONSTRAINT "only a person decides that there is no transcript"
        CHECK (state IN ('words', 'silent') OR source = 'person')
    ) STRICT, WITHOUT ROWID;

    INSERT INTO newTranscript
    SELECT id, state, source, program, model, language, isLanguageDoubtful, createdAt, modifiedAt,
      revision
    FROM transcript;

    DROP TABLE transcript;

    ALTER TABLE newTranscript RENAME TO transcript;

    CREATE INDEX transcript_revision ON transcript (revision);

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
