import Foundation
import HoldfastTestSupport
import Testing

@Suite("Importing an app's data in another time zone", .temporaryFolder)
struct AppZoneTests {
  /// Writes a diary of a phone in Berlin: three meals a day, beside midnight and at noon. The days
  /// around 2025-10-26 have 25 hours.
  private func writeDiary(_ days: Int, extra: Int = 0) async throws -> String {
    let script = """
      import json, sys
      from datetime import datetime, timedelta, timezone
      from zoneinfo import ZoneInfo
      days, extra = int(sys.argv[2]), int(sys.argv[3])
      berlin = ZoneInfo('Europe/Berlin')
      def moment(day, hour, minute):
        local = datetime(2025, 10, 23, hour, minute, tzinfo=berlin) + timedelta(days=day)
        return local.astimezone(timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')
      id = lambda kind, n: '00000000-0000-4000-%04d-%012d' % (kind, n)
      totals, entries = [], []
      for day in range(days + 1):
        totals.append({'id': id(8000, day), 'date': moment(day, 0, 0), 'totalCalories': 0,
          'entryCount': 0})
        # The last day is empty.
        for n, (hour, minute) in enumerate([(0, 20), (12, 0), (23, 40), (19, 0)][:3 + extra]):
          if day < days:
            entries.append({'id': id(9000, day * 10 + n), 'timestamp': moment(day, hour, minute),
              'rawDescription': '', 'foodName': f'day {day}', 'quantity': 1, 'unit': 'g',
              'calories': 1, 'protein': 0, 'carbohydrates': 0, 'fat': 0, 'confidence': 1,
              'dailyTotal': id(8000, day)})
      json.dump({'dailyTotals': totals, 'foodEntries': entries}, open(sys.argv[1], 'w'))
      """
    let path = temporary("diary.json")
    _ = try await Command.output(of: "python3", ["-c", script, path, "\(days)", "\(extra)"])
    return path
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
    #expect(
      try await other.sql("SELECT id, timestampOffset FROM foodEntry ORDER BY id").count == 24)
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
