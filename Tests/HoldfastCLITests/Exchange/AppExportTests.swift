import Foundation
import HoldfastTestSupport
import Testing

@Suite("Exporting a folder for an app", .temporaryFolder)
struct AppExportTests {
  let library = LibraryFolder()

  /// Fills the library with recordings and records of every kind, linked to recordings and not.
  private func fill() async throws {
    for journal in TestedJournal.all {
      _ = try await library.holdfast("journal", "enable", journal.name)
      let document = "\(Repository.root)/Tests/Documents/\(journal.name).json"
      let filled = try await library.holdfast("import-data", document)
      try #require(filled.status == 0, "\(filled.errorOutput)")
    }
    try await library.fill()
    let video = "(SELECT id FROM recording WHERE type = 'video')"
    try await library.changeCatalog(
      """
      UPDATE foodEntry SET day = NULL WHERE id = (SELECT max(id) FROM foodEntry);
      UPDATE recording SET timestampOffset = -150,
        modifiedAt = strftime('%Y-%m-%d %H:%M:%f', createdAt, '+0.009 seconds')
        WHERE type = 'audio';
      INSERT INTO xpTransaction VALUES ('\(LibraryFolder.id(90))', 'me', 75, 'carried over', NULL,
        '2025-10-01 00:00:00.123', NULL);
      UPDATE habit SET color = '#12AB3480', endDay = '2031-02-28', icon = '⭐️',
        scheduleType = 'everyNDays', scheduleCount = 3, habitDescription = 'why' || char(10) || 'so'
        WHERE name = 'Run';
      UPDATE habitReminder SET isActive = 0, notificationIdentifier = 'n',
        modifiedAt = '2026-11-25 00:00:00.001';
      INSERT INTO habitReminder (id, habitId, time, isActive, createdAt)
        SELECT '\(LibraryFolder.id(91))', id, '07:05', 1, createdAt FROM habit WHERE name = 'Run';
      """
        + [
          "journalEntry", "prayer", "moodEntry", "devotional", "session", "foodEntry", "habit",
          "habitDay", "achievement",
        ]
        .map {
          "UPDATE \($0) SET recordingId = \(video) WHERE id = (SELECT min(id) FROM \($0));"
        }
        .joined(separator: "\n"))
  }

  @Test("What no app reads is named, and not counted as exported")
  func leftOut() async throws {
    try await library.importing("aac.m4a")
    try await library.transcribe(library.column("SELECT id FROM recording")[0], "words")
    let result = try await export()
    #expect(result.status == 0 && !result.output.contains("transcript"), "\(result.output)")
    #expect(result.errorOutput.contains("note: 1 transcript left out"), "\(result.errorOutput)")
  }

  private func export(_ options: String...) async throws -> CommandResult {
    try await library.holdfast(["export", "--format", "app", temporary("folder")] + options)
  }

  /// The lists of an export, without the values that the export of an app cannot keep.
  private func lists(_ library: LibraryFolder) async throws -> [String: [NSDictionary]] {
    let whole = try JSONSerialization.jsonObject(with: Data(try await library.export()))
    var lists = try #require(whole as? [String: Any]).compactMapValues { $0 as? [[String: Any]] }
    for index in lists["recordings", default: []].indices {
      // The exported file is the new library's source. It was converted before.
      for name in ["sourceSHA256", "conversion", "fileSHA256", "fileSize"] {
        lists["recordings"]?[index][name] = nil
      }
    }
    return lists.mapValues { $0.map { $0 as NSDictionary } }
  }

  @Test(
    "A new library that imports the folder has the same records, in any time zone",
    arguments: ["Pacific/Auckland", "America/St_Johns"])
  func roundTrip(zone: String) async throws {
    try await fill()
    let exported = try await export("--json")
    #expect(exported.status == 0, "\(exported.errorOutput)")
    let other = LibraryFolder("other")
    for journal in TestedJournal.all {
      _ = try await other.holdfast("journal", "enable", journal.name)
    }
    for number in 0..<2 {
      let result = try await Command.run(
        Command.holdfast, other.command(["import-app", temporary("folder")]),
        environment: ["TZ": zone])
      #expect(result.status == 0, "\(result.errorOutput)")
      // An entry names a photo whose file never came.
      #expect(
        result.errorOutput.split(separator: "\n").filter { $0.contains("note:") }
          == ["note: 1 photo not in the app's folder, kept as text"], "\(result.errorOutput)")
      #expect(result.output.hasPrefix("Recognised the documents of an app: 2 recordings"))
      #expect(result.output.contains("added") == (number == 0), "\(result.output)")
    }
    let (old, new) = (try await lists(library), try await lists(other))
    #expect(Set(old.keys) == Set(new.keys))
    for (kind, records) in old {
      let others = new[kind] ?? []
      #expect(records.count == others.count, "\(kind)")
      for (one, two) in zip(records, others) where one != two {
        Issue.record("\(kind): \(one) became \(two)")
      }
    }
    try await other.expectSound()
  }

  /// The names of the apps' models, from their own documents.
  private static let models = [
    "recordings": """
    id timestamp type purpose duration filePath thumbnailPath title notes playCount lastPlayedAt \
    createdAt modifiedAt
    """,
    "cravings": "id timestamp intensity triggers location notes createdAt modifiedAt recording",
    "usage": "id timestamp method amount triggers location notes createdAt modifiedAt",
    "foodEntries": """
    id timestamp rawDescription foodName quantity unit calories protein carbohydrates fat \
    confidence matchedIngredientID dailyTotal
    """,
    "dailyTotals":
      "id date totalCalories totalProtein totalCarbohydrates totalFat entryCount",
    "habits": """
    id userId name habitDescription icon colorData habitType goalCount goalUnit scheduleType \
    scheduleData baselineCount baselineUnit startDate endDate createdAt updatedAt reminders \
    goal schedule reminder isCompleted streak
    """,
    "completions": """
    id habitId date isCompleted createdAt progress dateKey dateString progressCount goalCount \
    timestamps
    """,
    "difficulties": "id habitId date difficulty createdAt",
    "usageRecords": "id habitId key value createdAt",
    "xpTransactions": "id userId amount reason timestamp",
    "achievements": "id userId achievementId title description unlockedAt xpAwarded",
    "journalEntries": """
    id title content date tags mood location isPrivate audioURL photoURLs drawingData createdAt \
    updatedAt
    """,
    "prayerRequests": """
    id title details date status isAnswered answerDate answerNotes isPrivate tags createdAt \
    updatedAt
    """,
    "readingPlans": "id title description startDate endDate dailyReadings progress createdAt",
  ]

  @Test("The documents have the apps' names, and dates that Swift's .iso8601 reads")
  func names() async throws {
    try await fill()
    #expect(try await export().status == 0)
    let script = """
      import json, re, sys
      folder, models = sys.argv[1], json.loads(sys.argv[2])
      lists = {}
      for app in ['cravings', 'food', 'habits', 'faith']:
        lists.update(json.load(open(f'{folder}/{app}.json')))
      for name, fields in models.items():
        have = set().union(*lists[name])
        missing = set(fields.split()) - have
        assert not missing, (name, missing)
        for element in lists[name]:
          for key in ['timestamp', 'date', 'createdAt', 'updatedAt', 'startDate', 'endDate']:
            value = element.get(key)
            assert value is None or re.fullmatch(
              r'\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(Z|[+-]\\d\\d:\\d\\d)', value
            ), (name, key, value)
      run = [h for h in lists['habits'] if h['name'] == 'Run'][0]
      assert run['goal'] == f"{run['goalCount']} {run['goalUnit']} {run['schedule']}", run
      assert (run['schedule'], run['reminder']) == ('every 3 days', '07:05'), run
      assert isinstance(run['isCompleted'], bool) and isinstance(run['streak'], int), run
      assert all(len(t) == 20 for c in lists['completions'] for t in c['timestamps'])
      link = [c for c in lists['cravings'] if 'recording' in c][0]['recording']
      assert link in [r['id'] for r in lists['recordings']]
      plan = lists['readingPlans'][0]
      assert all(isinstance(r, str) for r in plan['dailyReadings']) and plan['progress']
      day = lists['dailyTotals'][0]
      entries = [e for e in lists['foodEntries'] if e.get('dailyTotal') == day['id']]
      assert day['entryCount'] == len(entries) > 0
      assert abs(day['totalCalories'] - sum(e['calories'] for e in entries)) < 1e-9
      """
    let models = String(
      decoding: try JSONSerialization.data(withJSONObject: Self.models), as: UTF8.self)
    _ = try await Command.output(of: "python3", ["-c", script, temporary("folder"), models])
    let files = try await library.column(
      "SELECT filePath FROM recording UNION SELECT thumbnailPath FROM recording")
    for file in files where !file.isEmpty {
      let result = try await Command.run(
        "cmp", ["\(library.path)/\(file)", "\(temporary("folder"))/\(file)"])
      #expect(result.status == 0, "\(file)")
    }
  }

  @Test("A missing and a damaged file are named, and the rest is exported")
  func missing() async throws {
    try await fill()
    let files = try await library.column("SELECT filePath FROM recording ORDER BY type")
    try FileManager.default.removeItem(atPath: "\(library.path)/\(files[0])")
    try Data("other".utf8).write(to: URL(fileURLWithPath: "\(library.path)/\(files[1])"))
    let result = try await export()
    #expect(result.status == 3)
    #expect(result.errorLines.count == 2, "\(result.errorOutput)")
    for file in files { #expect(result.errorOutput.contains("\(file) was not exported")) }
    for app in ["cravings", "food", "habits", "faith"] {
      #expect(FileManager.default.fileExists(atPath: "\(temporary("folder"))/\(app).json"))
    }
  }

  @Test("Nothing is replaced, and nothing is written into a library")
  func places() async throws {
    try await library.importing("aac.m4a")
    let folder = temporary("folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(folder)/mine"))
    #expect(try await export().status == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["mine"])
    let inside = try await library.holdfast("export", "--format", "app", "\(library.path)/folder")
    #expect(inside.status == 1)
    #expect(inside.errorOutput.contains("name a place outside of it"), "\(inside.errorOutput)")
    #expect(!FileManager.default.fileExists(atPath: "\(library.path)/folder"))
  }

  @Test("An interruption leaves nothing behind")
  func interruption() async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    // A shell's job in the background ignores SIGINT.
    let script = """
      strace -D -f -qq -o /dev/null -e trace=mkdirat -e inject=mkdirat:delay_exit=500000 \
        "$0" export --format app --library "$2" "$1/folder" & job=$!
      until [ -d "$1/.folder.exporting/Recordings" ]; do kill -0 $job || exit 91; done
      kill -TERM $job; wait $job
      """
    let result = try await Command.run(
      "bash", ["-c", script, try Command.holdfast, temporary(""), library.path])
    #expect(result.status == 130, "\(result.errorOutput)")
    let left = try FileManager.default.contentsOfDirectory(atPath: temporary(""))
    #expect(!left.contains { $0.contains("folder") }, "\(left)")
  }

  @Test(
    "A full disk ends the export, and leaves nothing on it",
    .enabled("user namespaces must be allowed to mount a tmpfs") {
      try await FullDiskTests.canMount()
    })
  func fullDisk() async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    let script = """
      mount -t tmpfs -o size=40k none "$1" || exit 91
      "$0" export --format app --library "$2" "$1/folder"; status=$?
      [ -z "$(ls -A "$1")" ] || exit 92
      exit $status
      """
    let result = try await Command.run(
      "unshare",
      [
        "-Urm", "bash", "-c", script, try Command.holdfast, try makeFolder("disk"), library.path,
      ])
    #expect(result.status == 1, "\(result.errorOutput)")
    #expect(result.errorOutput.contains("space"), "\(result.errorOutput)")
  }
}
