public import Holdfast

private typealias Rule = ColumnConstraint

extension Journal {
  /// Habits to build or give up, what was done on each day, and the XP for it.
  public static let habits = Journal(
    "habits",
    kinds: [
      Habit.self, HabitReminder.self, HabitDay.self, XPTransaction.self, Achievement.self,
    ], migrations: [habitsV1],
    fingerprint: "b0d041e25d2efd34bcd56d76ff1a5321517b91a04298030a3f3f9cf6dd00f022",
    aroundImport: ImportedXP.settling, derivesRecords: true, app: .habits)

  /// The tables of the first version. Streaks, levels and rates are not stored: they follow from
  /// the rows.
  private static let habitsV1 = """
    CREATE TABLE habit (
      id TEXT NOT NULL PRIMARY KEY \(Rule.uuid("id")),
      userId TEXT NOT NULL \(Rule.name("userId", atMost: 200)),
      name TEXT NOT NULL \(Rule.name("name", atMost: 200)),
      habitDescription TEXT NOT NULL \(Rule.text("habitDescription", atMost: 2000)),
      icon TEXT NOT NULL \(Rule.text("icon", atMost: 40)),
      color TEXT NOT NULL
        CONSTRAINT "color is # and eight upper-case hexadecimal digits"
        CHECK (color GLOB '#*' AND length(color) = 9 AND substr(color, 2) NOT GLOB '*[^0-9A-F]*'),
      habitType TEXT NOT NULL \(Rule.word("habitType", HabitType.self)),
      goalCount INTEGER NOT NULL \(Rule.integer("goalCount", 1...1_000_000_000)),
      goalUnit TEXT NOT NULL \(Rule.name("goalUnit", atMost: 40)),
      scheduleType TEXT NOT NULL \(Rule.word("scheduleType", HabitScheduleType.self)),
      scheduleCount INTEGER,
      baselineCount INTEGER,
      baselineUnit TEXT \(Rule.text("baselineUnit", atMost: 40)),
      startDay TEXT NOT NULL \(Rule.day("startDay"))
        CONSTRAINT "startDay is 1900-01-01 or later" CHECK (startDay >= '1900-01-01'),
      endDay TEXT \(Rule.day("endDay")),
      recordingId TEXT REFERENCES recording (id) ON DELETE SET NULL,
      \(Rule.dates),
      CONSTRAINT "scheduleCount is one of the schedule" CHECK (CASE scheduleType
        WHEN 'everyNDays' THEN coalesce(scheduleCount, 0) BETWEEN 1 AND 365
        WHEN 'frequencyWeekly' THEN coalesce(scheduleCount, 0) BETWEEN 1 AND 7
        WHEN 'frequencyMonthly' THEN coalesce(scheduleCount, 0) BETWEEN 1 AND 31
        ELSE scheduleCount IS NULL END),
      CONSTRAINT "baselineCount is more than the goal, and only of a habit to give up" CHECK (
        CASE habitType
        WHEN 'breaking' THEN coalesce(baselineCount, 0) > goalCount AND baselineCount <= 1000000000
        ELSE baselineCount IS NULL END),
      CONSTRAINT "endDay is not before startDay" CHECK (endDay >= startDay)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX habit_user ON habit (userId, startDay, id);
    CREATE INDEX habit_recording ON habit (recordingId, createdAt DESC, id)
      WHERE recordingId IS NOT NULL;

    CREATE TABLE habitWeekday (
      habitId TEXT NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
      weekday TEXT NOT NULL \(Rule.word("weekday", HabitWeekday.self)),
      PRIMARY KEY (habitId, weekday)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE habitReminder (
      id TEXT NOT NULL PRIMARY KEY \(Rule.uuid("id")),
      habitId TEXT NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
      time TEXT NOT NULL
        CONSTRAINT "time is one of the day" CHECK (time GLOB '[0-9][0-9]:[0-9][0-9]'
          AND substr(time, 1, 2) < '24' AND substr(time, 4) < '60'),
      isActive INTEGER NOT NULL DEFAULT 1 \(Rule.flag("isActive")),
      notificationIdentifier TEXT \(Rule.text("notificationIdentifier", atMost: 200)),
      \(Rule.dates)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX habitReminder_habit ON habitReminder (habitId, time, id);
    CREATE INDEX habitReminder_time ON habitReminder (time, id);

    CREATE TABLE habitDay (
      id TEXT NOT NULL PRIMARY KEY \(Rule.uuid("id")),
      habitId TEXT NOT NULL REFERENCES habit (id) ON DELETE CASCADE,
      day TEXT NOT NULL \(Rule.day("day")),
      progressCount INTEGER NOT NULL DEFAULT 0
        \(Rule.integer("progressCount", 0...1_000_000_000)),
      goalCount INTEGER NOT NULL \(Rule.integer("goalCount", 1...1_000_000_000)),
      difficulty INTEGER \(Rule.integer("difficulty", 1...5)),
      recordingId TEXT REFERENCES recording (id) ON DELETE SET NULL,
      \(Rule.dates)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX habitDay_habit ON habitDay (habitId, day);
    -- The complete days of a habit.
    CREATE INDEX habitDay_progress ON habitDay (habitId, day DESC, progressCount, goalCount);
    CREATE INDEX habitDay_day ON habitDay (day, habitId, progressCount, goalCount);
    CREATE INDEX habitDay_recording ON habitDay (recordingId, day DESC, id)
      WHERE recordingId IS NOT NULL;

    CREATE TABLE habitAction (
      habitDayId TEXT NOT NULL REFERENCES habitDay (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      timestamp TEXT NOT NULL \(Rule.moment("timestamp")),
      timestampOffset INTEGER NOT NULL \(Rule.offset("timestampOffset")),
      PRIMARY KEY (habitDayId, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE xpTransaction (
      id TEXT NOT NULL PRIMARY KEY \(Rule.uuid("id")),
      userId TEXT NOT NULL \(Rule.name("userId", atMost: 200)),
      amount INTEGER NOT NULL
        CONSTRAINT "amount is not 0" CHECK (amount <> 0)
        \(Rule.integer("amount", -1_000_000_000...1_000_000_000)),
      reason TEXT NOT NULL \(Rule.name("reason", atMost: 200)),
      day TEXT \(Rule.day("day")),
      timestamp TEXT NOT NULL \(Rule.moment("timestamp")),
      modifiedAt TEXT \(Rule.moment("modifiedAt"))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX xpTransaction_recent ON xpTransaction (userId, timestamp DESC, id);
    CREATE INDEX xpTransaction_day ON xpTransaction (userId, day, amount);

    CREATE TABLE achievement (
      id TEXT NOT NULL PRIMARY KEY \(Rule.uuid("id")),
      userId TEXT NOT NULL \(Rule.name("userId", atMost: 200)),
      achievementId TEXT NOT NULL
        CONSTRAINT "achievementId has 1 to 64 small letters, digits and _"
        CHECK (length(achievementId) BETWEEN 1 AND 64 AND achievementId NOT GLOB '*[^a-z0-9_]*'),
      title TEXT NOT NULL \(Rule.name("title", atMost: 200)),
      text TEXT NOT NULL \(Rule.text("text", atMost: 2000)),
      unlockedAt TEXT NOT NULL \(Rule.moment("unlockedAt")),
      xpAwarded INTEGER NOT NULL DEFAULT 0 \(Rule.integer("xpAwarded", 0...1_000_000_000)),
      recordingId TEXT REFERENCES recording (id) ON DELETE SET NULL,
      modifiedAt TEXT \(Rule.moment("modifiedAt"))
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX achievement_once ON achievement (userId, achievementId);
    CREATE INDEX achievement_recent ON achievement (userId, unlockedAt DESC, id);
    CREATE INDEX achievement_recording ON achievement (recordingId, unlockedAt DESC, id)
      WHERE recordingId IS NOT NULL;
    """
}
