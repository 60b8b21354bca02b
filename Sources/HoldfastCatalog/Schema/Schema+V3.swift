extension Schema {
  /// Migration "v3": when a recording's files were last read and found unchanged, and since when
  /// they have been faulty.
  static let v3 = """
    -- When every byte of its files was last found right; NULL when none was read since the import.
    ALTER TABLE recording ADD COLUMN verifiedAt TEXT
      CONSTRAINT "verifiedAt is a UTC date and time" CHECK (\(isMoment("verifiedAt")));

    -- What is wrong with its file; NULL for nothing that is known.
    ALTER TABLE recording ADD COLUMN fault TEXT
      CONSTRAINT "fault is a known one" CHECK (fault IN ('missing', 'damaged'));

    ALTER TABLE recording ADD COLUMN faultySince TEXT
      CONSTRAINT "faultySince is a UTC date and time" CHECK (\(isMoment("faultySince")))
      CONSTRAINT "fault and faultySince come together"
        CHECK ((fault IS NULL) = (faultySince IS NULL));

    -- Those that were verified longest ago come first.
    CREATE INDEX recording_verified ON recording (verifiedAt, id);
    CREATE INDEX recording_faulty ON recording (faultySince, id) WHERE fault IS NOT NULL;
    """
}
