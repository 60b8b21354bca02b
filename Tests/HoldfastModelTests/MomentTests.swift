import Foundation
import HoldfastModel
import Testing

@Suite("Moments")
struct MomentTests {
  /// 2025-10-25 13:42:17.123 UTC.
  private let now = Samples.moment.addingTimeInterval(17.123)

  private func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

  /// A moment in UTC, such as `2025-10-25 13:42:17`.
  private func utc(_ date: Date) -> String {
    var style = Date.ISO8601FormatStyle(dateTimeSeparator: .space)
    style.timeZone = .gmt
    return date.formatted(style.year().month().day().time(includingFractionalSeconds: false))
  }

  @Test(
    "Every form of a moment is read, in Berlin",
    arguments: [
      ("15:42", "2025-10-25 13:42:00"), ("9:05", "2025-10-25 07:05:00"),
      ("09:05:30", "2025-10-25 07:05:30"), ("00:00", "2025-10-24 22:00:00"),
      ("23:59:59", "2025-10-25 21:59:59"), ("2025-10-25 15:42", "2025-10-25 13:42:00"),
      ("2025-10-25 5:42", "2025-10-25 03:42:00"), ("2025-10-25T15:42", "2025-10-25 13:42:00"),
      ("2025-10-25T15:42:59", "2025-10-25 13:42:59"),
      ("2025-10-25T15:42:59.123456789", "2025-10-25 13:42:59"),
      ("2025-01-25 15:42", "2025-01-25 14:42:00"), ("2025-10-25T15:42Z", "2025-10-25 15:42:00"),
      ("2025-10-25 15:42z", "2025-10-25 15:42:00"), ("2025-10-25 15:42 Z", "2025-10-25 15:42:00"),
      ("2025-10-25T15:42:00.000Z", "2025-10-25 15:42:00"),
      ("2025-10-25 15:42 UTC", "2025-10-25 15:42:00"),
      ("2025-10-25T15:42+00:00", "2025-10-25 15:42:00"),
      ("2025-10-25T15:42+02:00", "2025-10-25 13:42:00"),
      ("2025-10-25T15:42 -0330", "2025-10-25 19:12:00"),
      ("2025-10-25T15:42:01+05:45", "2025-10-25 09:57:01"),
      ("2025-10-25T00:30+14:00", "2025-10-24 10:30:00"),
      ("2024-02-29 12:00", "2024-02-29 11:00:00"), ("2000-02-29 12:00", "2000-02-29 11:00:00"),
      ("2025-10-25 15:42 America/New_York", "2025-10-25 19:42:00"),
      ("2025-07-25T15:42 America/Argentina/Buenos_Aires", "2025-07-25 18:42:00"),
      ("1970-01-01 01:00", "1970-01-01 00:00:00"), ("9999-12-31T23:59Z", "9999-12-31 23:59:00"),
    ])
  func forms(text: String, moment: String) throws {
    #expect(try utc(Entry.moment(text, now: now, zone: zone("Europe/Berlin")).date) == moment)
  }

  @Test(
    "The time zone is kept as it was at that moment",
    arguments: [
      ("now", 120), ("2025-01-25 15:42", 60), ("2025-07-25 15:42", 120), ("2025-10-25T15:42Z", 0),
      ("2025-10-25T15:42-03:30", -210), ("2025-10-25T15:42+14:00", 840),
      ("2025-10-25 15:42 America/New_York", -240), ("2025-12-25 15:42 America/New_York", -300),
    ])
  func offsets(text: String, minutes: Int) throws {
    #expect(try Entry.moment(text, now: now, zone: zone("Europe/Berlin")).offset == minutes)
  }

  @Test("\"now\" is now, to the millisecond", arguments: ["now", "NOW", "Now"])
  func rightNow(text: String) throws { #expect(try Entry.moment(text, now: now).date == now) }

  @Test("Today is today in the local time zone")
  func today() throws {
    // 13:42 UTC is the 26th already on Kiritimati, and still the 25th in Honolulu.
    for (name, moment) in [
      ("Pacific/Kiritimati", "2025-10-25 14:00:00"), ("Pacific/Honolulu", "2025-10-25 14:00:00"),
    ] {
      let text = name.hasSuffix("Honolulu") ? "04:00" : "4:00"
      #expect(try utc(Entry.moment(text, now: now, zone: zone(name)).date) == moment)
    }
  }

  @Test(
    "Invalid moments are refused with the ways to write one",
    arguments: [
      "", " ", "yesterday", "noon", "15", "15:4", "15.42", "3pm", "3:00 PM", "1542", "15:42Z",
      "15:42+02:00", "2025-10-25", "2025-10-25T", "25-10-25 15:42", "2025-1-5 15:42",
      "25.10.2025 15:42", "10/25/2025 15:42", "2025-10-25t15:42", "2025-10-25  15:42",
      "2025-10-25 15:42 +2", "2025-10-25 15:42+2:00", "2025-10-25 15:42+24:00",
      "2025-10-25 15:42+02:60", "2025-10-25 15:42 CET", "2025-10-25 15:42 Europe/Nowhere",
      "2025-10-25 15:42Europe/Berlin", "2025-10-25 15:42.5", "2025-10-25 15:42:1",
      "2025-10-25 15:42:00.", "-2025-10-25 15:42", "+2025-10-25 15:42", "12025-10-25 15:42",
      " 15:42", "15:42 ", "15:42\n", "１５:４２", "١٥:٤٢", "15:42\0", "15:42\u{301}", "1761399720",
      "2025-10-25T15:42Z; DROP TABLE craving", "\u{1B}[2J",
    ])
  func unreadable(text: String) throws {
    let error = #expect(throws: RuleError.self) {
      try Entry.moment(text, now: now, zone: zone("Europe/Berlin"))
    }
    #expect(
      error?.description
        == "\"\(text.escapedForDisplay)\" is not a time; write it like 15:42, "
        + "\"2025-10-25 15:42\" or "
        + "2025-10-25T15:42Z")
  }

  @Test(
    "A day or time that never was is refused",
    arguments: [
      ("2025-02-30 12:00", "UTC"), ("2025-02-29 12:00", "UTC"), ("1900-02-29 12:00", "UTC"),
      ("2025-04-31 12:00", "UTC"), ("2025-13-01 12:00", "UTC"), ("2025-00-10 12:00", "UTC"),
      ("2025-01-00 12:00", "UTC"), ("2025-01-32 12:00", "UTC"), ("24:00", "UTC"), ("25:00", "UTC"),
      ("12:60", "UTC"), ("12:00:60", "UTC"), ("99:99:99", "UTC"), ("0000-01-01 00:00", "UTC"),
      ("0000-12-31T12:00Z", "UTC"), ("0001-01-01T00:00+00:01", "UTC"),
      // The clocks went from 2 to 3, from midnight to 1, and over a whole day.
      ("2025-03-30 02:30", "Europe/Berlin"), ("2025-03-30 02:00", "Europe/Berlin"),
      ("2025-03-09 02:59:59", "America/New_York"), ("2018-11-04 00:30", "America/Sao_Paulo"),
      ("2011-12-30 12:00", "Pacific/Apia"),
    ])
  func never(text: String, name: String) throws {
    let error = #expect(throws: RuleError.self) {
      try Entry.moment(text, now: now, zone: zone(name))
    }
    #expect(error?.description == "\"\(text)\": no such day or time")
  }

  @Test(
    "Times around a clock change are accepted, and an ambiguous one means one of the two",
    arguments: [
      ("2025-03-30 01:59:59", "Europe/Berlin", ["2025-03-30 00:59:59"]),
      ("2025-03-30 03:00", "Europe/Berlin", ["2025-03-30 01:00:00"]),
      ("2025-03-30T02:30Z", "Europe/Berlin", ["2025-03-30 02:30:00"]),
      ("2025-10-26 02:30", "Europe/Berlin", ["2025-10-26 00:30:00", "2025-10-26 01:30:00"]),
      ("2011-12-29 23:59", "Pacific/Apia", ["2011-12-30 09:59:00"]),
      ("2011-12-31 00:00", "Pacific/Apia", ["2011-12-30 10:00:00"]),
    ])
  func changes(text: String, name: String, moments: [String]) throws {
    #expect(try moments.contains(utc(Entry.moment(text, now: now, zone: zone(name)).date)))
  }

  @Test("The future is refused; now, and what rounds to now, is not")
  func future() throws {
    try Entry.validate(timestamp: now, now: now)
    try Entry.validate(timestamp: now.roundedToMillisecond, now: now)
    try Entry.validate(timestamp: .distantPast, now: now)
    for seconds in [0.001, 1, 86_400, 1e12] {
      let later = now.roundedToMillisecond.addingTimeInterval(seconds)
      let error = #expect(throws: RuleError.self) {
        try Entry.validate(timestamp: later, now: now)
      }
      #expect(
        error?.description.hasSuffix(
          " is in the future; an entry is about now or the past") == true)
    }
  }

  @Test(
    "A moment more than seven days ago is accepted with a warning",
    arguments: [
      (0, nil), (6 * 86_400, nil), (7 * 86_400, nil), (7 * 86_400 + 1, 7), (8 * 86_400, 8),
      (365 * 86_400, 365),
    ] as [(Double, Int?)])
  func warning(seconds: Double, days: Int?) throws {
    let moment = now.addingTimeInterval(-seconds)
    try Entry.validate(timestamp: moment, now: now)
    #expect(
      Entry.warning(timestamp: moment, now: now)
        == days.map { "\(moment.localText) is \($0) days ago" })
  }
}
