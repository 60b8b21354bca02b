extension Schema {
  /// Migration "v8": an index for each order of the messages, of all and of one category.
  static let v8 = """
    CREATE INDEX message_priority ON message (category, priority, timesShown, id);
    CREATE INDEX message_shown ON message (timesShown, priority, lastShownAt, id);
    CREATE INDEX message_category ON message (category, timesShown, priority, lastShownAt, id);
    """
}
