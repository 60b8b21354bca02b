extension Schema {
  /// Migration "v14": whether a person who saw the words of both has edited a recording since it
  /// became one with another.
  static let v14 = """
    ALTER TABLE alias ADD COLUMN isSeen INTEGER NOT NULL DEFAULT 1
      CONSTRAINT "isSeen is 0 or 1" CHECK (isSeen IN (0, 1));
    """
}
