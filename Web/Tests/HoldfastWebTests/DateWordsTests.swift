import Foundation
import HoldfastWeb
import Testing

@Suite struct DateWordsTests {
  @Test(
    "A moment is said on its own clock, and today is this computer's day",
    arguments: [
      ("2026-11-28T04:38:00Z", 0, "Today 04:38"),
      ("2026-11-27T23:00:00Z", 120, "Today 01:00"),
      ("2026-11-28T01:00:00Z", -300, "Yesterday"),
      ("2026-11-27T00:00:00Z", 0, "Yesterday"),
      ("2026-11-26T23:59:00Z", 0, "Thu 26 Nov"),
      ("2025-11-28T12:00:00Z", 0, "Fri 28 Nov 2025"),
    ])
  func words(_ moment: String, minutes: Int, expected: String) throws {
    let zone = try #require(TimeZone(secondsFromGMT: minutes * 60))
    let now = try Date("2026-11-28T13:00:00Z", strategy: .iso8601)
    let date = try Date(moment, strategy: .iso8601)
    #expect(date.words(in: zone, now: now, here: .gmt) == expected)
  }
}
