import Foundation
import HoldfastModel
import Testing

@Suite("Dates in JSON")
struct JSONFormatTests {
  @Test("Every millisecond is written as itself, and read as it was")
  func milliseconds() {
    var random = SystemRandomNumberGenerator()
    for index in 0..<4000 {
      // Every millisecond of two seconds around Foundation's reference date, then random ones from
      // the year 1 to 9999.
      let milliseconds =
        index < 2000
        ? 978_307_199_000 + Int64(index)
        : Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &random)
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      let text = JSONFormat.text(date)
      let thousandths: Int64 = (milliseconds % 1000 + 1000) % 1000
      #expect(text.hasSuffix("00\(thousandths)".suffix(3) + "Z"))
      #expect(JSONFormat.date(text) == date, "\(text)")
    }
  }

  @Test("Each day has the date that Foundation gives it, also where the quick way ends")
  func days() {
    let style = Date.ISO8601FormatStyle(timeZone: .gmt)
    // Around 1600, around 2000, some of each year, and around the year 10000.
    let days = [-135_200 ..< -135_000, 10_900..<11_300, 2_932_800..<2_933_000].joined()
    for day in Array(days) + stride(from: -135_140, to: 2_932_897, by: 271) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 45_296)
      #expect(JSONFormat.text(date).dropLast(5) == date.formatted(style).dropLast(1))
      let text = date.formatted(style).replacing("T", with: " ").replacing("Z", with: ".000")
      #expect(SQLValue.date(date).text == text)
      #expect(SQLValue.text(text).date == (text.utf8.count == 23 ? date : nil))
    }
  }

  @Test(
    "Fractions of a millisecond are rounded",
    arguments: [
      (1_761_399_720.0004, "2025-10-25T13:42:00.000Z"),
      (1_761_399_720.0006, "2025-10-25T13:42:00.001Z"),
      (1_761_399_719.9996, "2025-10-25T13:42:00.000Z"),
    ])
  func rounded(seconds: Double, text: String) {
    #expect(JSONFormat.text(Date(timeIntervalSince1970: seconds)) == text)
  }

  @Test(
    "Only a moment in UTC is read, with milliseconds or none",
    arguments: [
      ("2025-10-25T13:42:00.000Z", true), ("2025-10-25T13:42:00Z", true),
      ("0001-01-01T00:00:00.000Z", true), ("9999-12-31T23:59:59.999Z", true),
      ("0000-01-01T00:00:00.000Z", false), ("99999-01-01T00:00:00.00Z", false),
      ("2025-02-30T00:00:00.000Z", false), ("2025-10-25T24:00:00.000Z", false),
      ("2025-10-25T13:42:60.000Z", false), ("2025-10-25T13:42:00.000", false),
      ("2025-10-25T13:42:00+00:00", false), ("2025-10-25T13:42:00.00Zx", false),
      ("2025-10-25 13:42:00.000Z", false), ("", false), ("yesterday", false),
      ("2025-10-2513:42:00T000.Z", false), ("9-9-9T9:9.999999999999999Z", false),
      ("99999999999-9-9T9:9:9.9Z", false), ("----------------------T.Z", false),
      ("२०२५-10-25T13:42:00.000Z", false), ("-001-10-25T13:42:00.000Z", false),
      (String(repeating: "9", count: 100_000), false),
    ])
  func read(text: String, isMoment: Bool) {
    #expect((JSONFormat.date(text) != nil) == isMoment)
  }

  @Test("Characters that control a terminal are escaped, and read as they were")
  func shown() throws {
    let text = "\u{1B}[2J\u{9B}2J\u{7F}\n\u{202E}gpj\u{2028}\u{FEFF} \"é\" 🙂 \\u202e"
    let data = try JSONFormat.data([text: text])
    let shown = String(decoding: data, as: UTF8.self)
    #expect(shown.escapedForDisplay == shown)
    #expect(shown.contains(#"\u009b2J\u007f"#) && shown.contains(#"\u202egpj\u2028\ufeff \"é\" 🙂"#))
    #expect(try JSONFormat.decoder.decode([String: String].self, from: data) == [text: text])
  }
}
