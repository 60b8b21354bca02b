extension JournalLoad {
  /// Entries with one tag of ten, one of two thousand at the lighthouse.
  static let faith = JournalLoad(
    journal: "faith", what: "100,000 entries",
    fill: """
      CREATE TEMP TABLE made AS \(numbers(100_000))
        SELECT n, \(identity) AS id,
          strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || n || ' minutes') AS at,
          'The second half of the day was quiet. We walked to the bridge and back, '
            || 'and spoke little.'
            || iif(n % 2000 = 0, ' At the lighthouse.', '') AS content FROM n;
      INSERT INTO journalEntry
        SELECT id, 'Day ' || n, content, at, 0, NULL, NULL, NULL, 0, NULL, at, NULL,
          'day ' || n || char(10) || lower(content), NULL FROM made ORDER BY id;
      INSERT INTO entryTag
        SELECT id, 'tag' || n % 10, 0, 'Tag' || n % 10 FROM made ORDER BY id;
      """,
    commands: [
      "faith entry list", "faith entry list --search lighthouse", "faith entry list --tag tag3",
      "faith entry list --search nowhere-to-be-found",
    ], goal: .timesAsLong(1.5, plus: 0.03))
}
