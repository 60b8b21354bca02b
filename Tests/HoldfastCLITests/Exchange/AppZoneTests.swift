import Foundation
import HoldfastTestSupport
import Testing

@Suite("Importing an app's data in another time zone", .temporaryFolder)
struct AppZoneTests {
  /// Writes a phone's diary: three meals a day, beside midnight and at noon. In Berlin, the day
  /// 2025-10-26 has 25 hours.
  private func writeDiary(
    _ days: Int, extra: Int = 0, phone: String = "Europe/Berlin", month: Int = 10, form: String = ""
  ) async throws -> String {
    let script = """
      import json, sys
      from datetime import datetime, timedelta, timezone
      from zoneinfo import ZoneInfo
      path, days, extra, phone, month, form = sys.argv[1:]
      days, extra, phone, month = int(days), int(extra), ZoneInfo(phone), int(month)
      def moment(day, hour, minute):
        # A trip begins on the fifth day.
        zone = ZoneInfo('America/New_York') if form == 'trip' and day > 3 else phone
        local = datetime(2025, month, 23, hour, minute, tzinfo=zone) + timedelta(days=day)
        return local.astimezone(timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')
      id = lambda kind, n: '00000000-0000-4000-%04d-%012d' % (kind, n)
      totals, entries = [], []
      for day in range(days + (days > 1)):
        totals.append({'id': id(8000, day), 'date': moment(day, 0, 0), 'totalCalories': 0,
          'entryCount': 0})
        # The last day is empty.
        for n, (hour, minute) in enumerate([(0, 20), (12, 0), (23, 40), (19, 0)][:3 + extra]):
          if form == 'midnight' and n == 0: minute = 0
          # One meal was added to the first day a week later.
          later = 7 if form == 'later' and day == 0 and n == 3 else 0
          if day < days:
            entries.append({'id': id(9000, day * 10 + n),
              'timestamp': moment(day + later, hour, minute), 'rawDescription': '',
              'foodName': f'day {day + later}', 'quantity': 1, 'unit': 'g', 'calories': 1,
              'protein': 0, 'carbohydrates': 0, 'fat': 0, 'confidence': 1})
            if form != 'unlinked': entries[-1]['dailyTotal'] = id(8000, day)
      text = json.dumps({'dailyTotals': totals, 'foodEntries': entries})
      if form == 'digits':
        for name in ['date', 'timestamp', 'dailyTotal']:
          text = text.replace(f'"{name}"', f'"{name}1"')
      open(path, 'w').write(text)
      """
    let path = temporary("diary.json")
    _ = try await Command.output(
      of: "python3", ["-c", script, path, "\(days)", "\(extra)", phone, "\(month)", form])
    return path
  }

  @Test(
    "So they are in each form, in the south, and on the first day",
    arguments: [
      ("Europe/Berlin", 6, "unlinked"), ("Europe/Berlin", 6, "digits"),
      ("Europe/Berlin", 6, "trip"), ("Europe/Berlin", 6, "midnight"), ("Europe/Berlin", 6, "later"),
      ("Europe/Berlin", 1, ""),
      ("Pacific/Auckland", 6, ""),
    ])
  func forms(phone: String, count: Int, form: String) async throws {
    let libraries = [LibraryFolder("utc"), LibraryFolder("phone")]
    for (library, zones) in zip(libraries, [["UTC", phone], [phone, "UTC"]]) {
      _ = try await library.holdfast("journal", "enable", "food")
      for (zone, extra) in zip(zones, [0, 1]) {
        let path = try await writeDiary(count, extra: extra, phone: phone, month: 7, form: form)
        let result = try await Command.run(
          Command.holdfast, library.command(["import-app", path]), environment: ["TZ": zone])
        #expect(result.status == 0, "\(zone): \(result.errorOutput)")
      }
      let query = "SELECT min(substr(day, 9) - 23 = substr(foodName, 5) + 0) FROM foodEntry"
      #expect(try await library.column(query) == ["1"], "\(zones)")
    }
    #expect(
      try await libraries[0].column("SELECT day FROM foodDay ORDER BY day")
        == libraries[1].column("SELECT day FROM foodDay ORDER BY day"))
  }

  @Test(
    "The days of a diary are the phone's, wherever it is imported and imported again",
    arguments: ["UTC", "America/New_York", "Pacific/Honolulu", "Asia/Tokyo", "Pacific/Auckland"])
  func diary(zone: String) async throws {
    let library = LibraryFolder()
    _ = try await library.holdfast("journal", "enable", "food")
    for (zone, extra) in [("Europe/Berlin", 0), (zone, 1)] {
      let path = try await writeDiary(6, extra: extra)
      let result = try await Command.run(
        Command.holdfast, library.command(["import-app", path]), environment: ["TZ": zone])
      #expect(result.status == 0, "\(result.errorOutput)")
      try await expectDays(of: library, count: 3 + extra)
    }
    let other = LibraryFolder("other")
    _ = try await other.holdfast("journal", "enable", "food")
    _ = try await Command.run(
      Command.holdfast, other.command(["import-app", temporary("diary.json")]),
      environment: ["TZ": zone])
    try await expectDays(of: other, count: 4)
    let offsets = "SELECT timestampOffset FROM foodEntry ORDER BY timestamp"
    #expect(
      try await other.column(offsets) == [String](repeating: "120", count: 13)
        + [String](repeating: "60", count: 11))
    let merged = try await library.holdfast("merge", other.path)
    #expect(merged.status == 0, "\(merged.errorOutput)")
    try await expectDays(of: library, count: 4)
  }

  private func expectDays(of library: LibraryFolder, count: Int) async throws {
    let days = (23...28).map { "2025-10-\($0)" }
    #expect(
      try await library.sql(
        "SELECT day, foodName, count(*) FROM foodEntry GROUP BY day, foodName ORDER BY day")
        == days.enumerated().map { [$1, "day \($0)", "\(count)"] })
    #expect(
      try await library.column("SELECT day FROM foodDay ORDER BY day") == days + ["2025-10-29"])
  }

  @Test(
    "The days of a habit are the phone's, wherever its document is imported and imported again",
    arguments: ["UTC", "America/New_York", "Asia/Kolkata"])
  func habit(zone: String) async throws {
    // The days around 2025-10-26, in Berlin. The last one was marked later.
    let days = (24...28).map { "2025-10-\($0)" }
    let midnights = [
      "2025-10-23T22:00:00Z", "2025-10-24T22:00:00Z", "2025-10-25T22:00:00Z",
      "2025-10-26T23:00:00Z", "2025-10-27T23:00:00Z",
    ]
    let made =
      midnights.dropFirst().map { $0.replacing("T2", with: "T1") }
      + ["2025-11-01T10:00:00Z"]
    let rows = zip(midnights, made).enumerated().map { number, row in
      """
      {"id": "\(LibraryFolder.id(number + 10))", "habitId": "\(LibraryFolder.id(1))",
       "date": "\(row.0)", "isCompleted": true, "createdAt": "\(row.1)"}
      """
    }
    let document = """
      {"habits": [{"id": "\(LibraryFolder.id(1))", "name": "Read", "habitType": "Habit Building",
        "goal": "1 time per day", "startDate": "\(midnights[0])", "createdAt": "\(made[0])"}],
       "completions": [\(rows.joined(separator: ","))]}
      """
    let path = temporary("habits.json")
    try Data(document.utf8).write(to: URL(filePath: path))
    let library = LibraryFolder()
    _ = try await library.holdfast("journal", "enable", "habits")
    for zone in ["Europe/Berlin", zone] {
      let result = try await Command.run(
        Command.holdfast, library.command(["import-app", path]), environment: ["TZ": zone])
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(try await library.column("SELECT day FROM habitDay ORDER BY day") == days)
      #expect(try await library.column("SELECT startDay FROM habit") == [days[0]])
    }
    let other = LibraryFolder("other")
    _ = try await other.holdfast("journal", "enable", "habits")
    _ = try await Command.run(
      Command.holdfast, other.command(["import-app", path]), environment: ["TZ": zone])
    #expect(try await other.column("SELECT day FROM habitDay ORDER BY day") == days)
    #expect(try await other.column("SELECT startDay FROM habit") == [days[0]])
  }

  @Test("A moment that need not be a midnight is one of this machine's day")
  func moments() async throws {
    let library = LibraryFolder()
    _ = try await library.holdfast("journal", "enable", "food")
    // The entry is eaten before the day's moment, as in a document that was written by hand.
    let lists = ["06:00", "14:00"].enumerated().map { day, hour in
      """
      {"id": "\(LibraryFolder.id(day))", "date": "2025-06-0\(day + 1)T20:00:00Z",
       "totalCalories": 1, "entries": [{"id": "\(LibraryFolder.id(day + 10))",
         "timestamp": "2025-06-0\(day + 1)T\(hour):00Z", "rawDescription": "", "foodName": "Pear",
         "quantity": 1, "unit": "", "calories": 1, "protein": 0, "carbohydrates": 0, "fat": 0,
         "confidence": 1}]}
      """
    }
    let path = temporary("diary.json")
    try Data("{\"dailyTotals\": [\(lists.joined(separator: ","))]}".utf8)
      .write(to: URL(filePath: path))
    let result = try await library.holdfastInUTC("import-app", path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(
      try await library.column("SELECT day FROM foodDay ORDER BY day")
        == ["2025-06-01", "2025-06-02"])
    #expect(try await library.column("SELECT timestampOffset FROM foodEntry") == ["0", "0"])
  }
}
