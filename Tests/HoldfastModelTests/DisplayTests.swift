import Foundation
import HoldfastModel
import Testing

@Suite("Values as text")
struct DisplayTests {
  @Test(
    "A duration has one decimal at most, and is rounded up",
    arguments: [
      (120, "120"), (185.3, "185.3"), (120.14, "120.2"), (120.1, "120.1"), (120.10000001, "120.1"),
      (0.04, "0.1"), (0, "0"), (121.0, "121"), (-3.5, "-3.5"), (-4.2, "-4.2"),
    ] as [(Double, String)])
  func tenths(_ seconds: Double, _ text: String) {
    #expect(seconds.tenthsRoundedUp == text)
  }

  @Test(
    "A figure has three decimals at most, and is rounded down",
    arguments: [
      (2, "2"), (2.0009, "2"), (119.9999, "119.999"), (1.01, "1.01"), (0.1 + 0.2, "0.3"),
    ] as [(Double, String)])
  func thousandths(_ seconds: Double, _ text: String) {
    #expect(seconds.thousandths == text)
  }

  @Test("The time of a picture is rounded to the nearest thousandth")
  func nearestThousandth() {
    #expect([1, 8.46667, 8.4332].map(\.nearestThousandth) == ["1", "8.467", "8.433"])
  }

  @Test("An average has exactly one decimal, rounded to the nearest")
  func oneDecimal() {
    #expect([6, 6.04, 6.06].map(\.oneDecimal) == ["6.0", "6.0", "6.1"])
    #expect([1, 29.97, 0.126].map(\.hundredths) == ["1.0", "29.97", "0.13"])
  }

  @Test(
    "Bytes are shown in the nearest whole megabytes",
    arguments: [
      (-1, "0 MB"), (499_999, "0 MB"), (500_000, "1 MB"), (691_400_000, "691 MB"),
      (Int64.max, "9223372036855 MB"),
    ] as [(Int64, String)])
  func megabytes(_ bytes: Int64, _ text: String) {
    #expect(bytes.megabytes == text)
  }

  @Test("A number agrees with its noun")
  func counted() {
    #expect([0, 1, 2].map { $0.counted("craving") } == ["0 cravings", "1 craving", "2 cravings"])
    #expect(2.counted("entry", "entries") == "2 entries")
  }

  @Test("The clock of a contact sheet is rounded down")
  func clockOfPicture() {
    #expect([59.96, 60, -1].map(\.clockTenths) == ["0:59.9", "1:00.0", "0:00.0"])
    #expect([59.96, 60].map(\.clockTime) == ["0:59", "1:00"])
  }

  @Test("A remaining time is in words")
  func timeInWords() {
    #expect([9, 87, 3720].map(\.timeInWords) == ["9 s", "1 min 27 s", "1 h 2 min"])
  }

  @Test("A figure out of all bounds is printed, and does not trap", arguments: [1e300, .infinity])
  func hugeTenths(_ seconds: Double) {
    #expect(seconds.tenthsRoundedUp == seconds.description)
    #expect((-seconds).tenthsRoundedUp == (-seconds).description)
  }

  @Test("A value that is not a number is printed, and does not trap")
  func notANumber() {
    #expect(Double.nan.tenthsRoundedUp == "nan")
    #expect(Double.nan.clockDuration.contains(":"))
  }

  @Test(
    "A clock shows minutes and seconds",
    arguments: [
      (12, "0:12"), (120, "2:00"), (59.4, "0:59"), (59.6, "1:00"), (0.2, "0:00"), (-5, "0:00"),
    ] as [(Double, String)])
  func clock(_ seconds: Double, _ text: String) {
    #expect(seconds.clockDuration == text)
  }

  @Test(
    "Ordinary text is shown as it is",
    arguments: ["", "IMG_0001.MOV", "Подъём 🎉.mov", "a b 'c' \"d\" <e>", "e\u{301}", "नमस्ते"])
  func ordinary(_ text: String) {
    #expect(text.escapedForDisplay == text)
  }

  @Test(
    "Characters that control a terminal or mislead a reader are escaped",
    arguments: [
      ("a\u{1B}[0mb", "a\\u{1B}[0mb"), ("a\nb", "a\\u{A}b"), ("a\r\nb", "a\\u{D}\\u{A}b"),
      ("\u{202E}gpj.exe", "\\u{202E}gpj.exe"), ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
      ("\0", "\\u{0}"), ("\u{7F}\u{9B}", "\\u{7F}\\u{9B}"), ("\u{2028}", "\\u{2028}"),
      ("\u{FEFF}", "\\u{FEFF}"), ("é\u{200F}", "é\\u{200F}"),
    ])
  func escaped(_ text: String, _ shown: String) {
    #expect(text.escapedForDisplay == shown)
  }

  @Test("Without a title, a recording is named after its own local time")
  func titles() throws {
    var recording = try Samples.recording()
    #expect(recording.displayTitle == "Video, Sat 25 Oct 2025, 15:42")
    #expect(recording.recorded.displayDate == "2025-10-25 15:42")
    recording.title = ""
    #expect(recording.displayTitle == "Video, Sat 25 Oct 2025, 15:42")
    (recording.ingestion.part, recording.ingestion.partCount) = (2, 3)
    #expect(recording.displayTitle == "Video, Sat 25 Oct 2025, 15:42 (2 of 3)")
    recording.title = "Day one"
    #expect(recording.displayTitle == "Day one")
  }

  @Test("A recording whose file name gives only a day is named after the day", arguments: [0, 120])
  func day(offset: Int) throws {
    var recording = try Samples.recording()
    let noon = try Date("2025-10-25T12:00:00Z", strategy: .iso8601)
      .addingTimeInterval(Double(-offset) * 60)
    for (date, source, title) in [
      (noon, TimestampSource.fileName, "Video, Sat 25 Oct 2025"),
      (noon, .container, "Video, Sat 25 Oct 2025, 12:00"),
      (noon + 1, .fileName, "Video, Sat 25 Oct 2025, 12:00"),
    ] {
      recording.recorded = RecordingTimestamp(date: date, offsetMinutes: offset, source: source)
      #expect(recording.displayTitle == title)
    }
  }

  @Test(
    "Midnight and noon are twelve, in the recording's own zone",
    arguments: [
      (-820, "Video, Sat 25 Oct 2025, 00:02", "2025-10-25 00:02"),
      (-100, "Video, Sat 25 Oct 2025, 12:02", "2025-10-25 12:02"),
      (720, "Video, Sun 26 Oct 2025, 01:42", "2025-10-26 01:42"),
    ])
  func zones(_ offset: Int, _ title: String, _ date: String) throws {
    let recording = try Samples.recording(offsetMinutes: offset)
    #expect(recording.displayTitle == title)
    #expect(recording.recorded.displayDate == date)
  }

  @Test("An error reads as its sentence, without FFmpeg's last message")
  func errors() {
    #expect(HoldfastError(.empty, "is empty").description == "is empty")
    #expect(HoldfastError(.damaged, "is cut", detail: "no moov").description == "is cut")
    let long = HoldfastError.overLimit(seconds: 185.27)
    #expect(long.code == .overLimit)
    #expect(long.duration == 185.27)
    #expect(long.reason == "185.3 s long; recordings may last 120 s")
  }
}
