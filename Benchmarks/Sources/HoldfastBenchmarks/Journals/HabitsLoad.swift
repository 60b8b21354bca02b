extension JournalLoad {
  /// 20 habits that were done on all but every 40th day.
  static let habits = JournalLoad(
    journal: "habits", what: "20 habits over 5 years",
    fill: """
      CREATE TEMP TABLE past AS \(numbers(1826))
        SELECT n, date('now', '-' || n || ' days') AS day FROM n;
      INSERT INTO habit
        SELECT \(identity), 'me', 'Habit ' || n, '', '', '#0000FFFF', 'formation', 1, 'time',
          'daily', NULL, NULL, NULL, (SELECT min(day) FROM past), NULL, NULL,
          (SELECT min(day) FROM past) || ' 00:00:00.000', NULL
        FROM (\(numbers(20)) SELECT n FROM n);
      INSERT INTO habitDay
        SELECT \(identity), id, day, 1, 1, NULL, NULL, day || ' 12:00:00.000', NULL
        FROM habit CROSS JOIN past WHERE n % 40 <> 0 ORDER BY id, day;
      """,
    commands: ["habit streak", "habit today", "habit week"], goal: .timesAsLong(0, plus: 0.05))
}
