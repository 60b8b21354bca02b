extension JournalLoad {
  /// 50 entries on each of 2,000 days.
  static let food = JournalLoad(
    journal: "food", what: "100,000 entries on 2,000 days",
    fill: """
      CREATE TEMP TABLE moment AS \(numbers(100_000))
        SELECT n, strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || (n / 50) || ' days',
          '-' || (n % 50) || ' seconds') AS at FROM n;
      INSERT INTO foodDay SELECT date(at), \(identity), max(at), NULL FROM moment GROUP BY 1;
      INSERT INTO foodEntry
        SELECT \(identity), at, 0, '', 'Soup ' || n, 1, 'cup', n % 700, n % 30, n % 80, n % 25,
          1, NULL, date(at), NULL, at, NULL FROM moment;
      """,
    commands: ["food day", "food days", "food list"], goal: .timesAsLong(1, plus: 0.02))
}
