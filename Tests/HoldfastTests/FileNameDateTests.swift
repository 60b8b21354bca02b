import Foundation
@testable import Holdfast
import HoldfastModel
import Testing

@Suite("Dates in file names")
struct FileNameDateTests {
  /// Two hours east, as in Berlin's summer.
  private static let zone = TimeZone(secondsFromGMT: 7200) ?? .gmt

  /// A name's time: in the phone's own time unless it ends with a zone.
  struct Name: CustomTestStringConvertible {
    let name: String
    let meaning: String

    init(_ name: String, _ meaning: String) { (self.name, self.meaning) = (name, meaning) }

    var testDescription: String { name }

    static let all = cameras + screens + messengers + recorders + others

    static let cameras = [
      Name("IMG_20251025_154200.jpg", "2025-10-25T15:42:00"),
      Name("VID_20251025_154200.mp4", "2025-10-25T15:42:00"),
      Name("VID_20251025_154200_1.mp4", "2025-10-25T15:42:00"),
      Name("VID_20251025_154200123.mp4", "2025-10-25T15:42:00.123"),
      Name("VID_20251025_154200123_HDR.mp4", "2025-10-25T15:42:00.123"),
      Name("VID20251025154200.mp4", "2025-10-25T15:42:00"),
      Name("VID20251025154200-0001.mp4", "2025-10-25T15:42:00"),
      Name("20251025_154200.mp4", "2025-10-25T15:42:00"),
      Name("20251025_154200(1).mp4", "2025-10-25T15:42:00"),
      Name("20251025_000000.mp4", "2025-10-25T00:00:00"),
      Name("20240229_235959.mp4", "2024-02-29T23:59:59"),
      Name("DJI_20251025154200_0001_D.MP4", "2025-10-25T15:42:00"),
      Name("WIN_20251025_15_42_00_Pro.mp4", "2025-10-25T15:42:00"),
      // Pixel phones use UTC in names.
      Name("PXL_20251025_134200123.mp4", "2025-10-25T13:42:00.123Z"),
      Name("PXL_20251025_134200123.TS.mp4", "2025-10-25T13:42:00.123Z"),
      Name("PXL_20251025_134200123.LS.mp4", "2025-10-25T13:42:00.123Z"),
      Name("PXL_20251025_134200123~2.mp4", "2025-10-25T13:42:00.123Z"),
      Name("PXL_20251025_134200123.TS~2.mp4", "2025-10-25T13:42:00.123Z"),
      Name("PXL_20251025_134200123-edited (1).mp4", "2025-10-25T13:42:00.123Z"),
      Name("PXL_20251025_134200.mp4", "2025-10-25T13:42:00Z"),
    ]

    static let screens = [
      Name("Screen Recording 2025-10-25 at 15.42.00.mov", "2025-10-25T15:42:00"),
      Name("Screen Recording 2025-10-25 at 3.42.00 PM.mov", "2025-10-25T15:42:00"),
      Name("Screen Recording 2025-10-25 at 3.42.00\u{202F}PM.mov", "2025-10-25T15:42:00"),
      Name("Screen Recording 2025-10-25 at 3.42.00\u{A0}pm (2).mov", "2025-10-25T15:42:00"),
      Name("Screen Recording 2025-10-25 at 11.42.00 AM.mov", "2025-10-25T11:42:00"),
      Name("Screen Recording 2025-10-25 at 12.42.00 AM.mov", "2025-10-25T00:42:00"),
      Name("Screen Recording 2025-10-25 at 12.42.00 PM.mov", "2025-10-25T12:42:00"),
      Name("Bildschirmaufnahme 2025-10-25 um 15.42.00.mov", "2025-10-25T15:42:00"),
      Name("Enregistrement de l’écran 2025-10-25 à 15.42.00.mov", "2025-10-25T15:42:00"),
      Name("Grabación de pantalla 2025-10-25 a las 9.42.00.mov", "2025-10-25T09:42:00"),
      Name("Screen_Recording_20251025_154200_App.mp4", "2025-10-25T15:42:00"),
      Name("Screen_Recording_20251025-154200_App.mp4", "2025-10-25T15:42:00"),
      Name("screen-20251025-154200.mp4", "2025-10-25T15:42:00"),
      Name("Screenrecorder-2025-10-25-15-42-00-123.mp4", "2025-10-25T15:42:00.123"),
    ]

    static let messengers = [
      Name("VID-20251025-WA0007.mp4", "2025-10-25T12:00:00"),
      Name("PTT-20251025-WA0001.opus", "2025-10-25T12:00:00"),
      Name("AUD-20251025-WA0001.m4a", "2025-10-25T12:00:00"),
      Name("WhatsApp Video 2025-10-25 at 15.42.00.mp4", "2025-10-25T15:42:00"),
      Name("WhatsApp Ptt 2025-10-25 at 15.42.00.ogg", "2025-10-25T15:42:00"),
      Name("WhatsApp Audio 2025-10-25 at 15.42.00 (1).mpeg", "2025-10-25T15:42:00"),
      Name("WhatsApp Audio 2025-10-25 at 3.42.00 PM.mpeg", "2025-10-25T15:42:00"),
      Name("WhatsApp Ptt 2025-10-25 at 3.42.00\u{202F}PM.ogg", "2025-10-25T15:42:00"),
      Name("WhatsApp_Video_2025-10-25_at_15.42.00_1a2b3c4d.mp4", "2025-10-25T15:42:00"),
      Name("signal-2025-10-25-154200.mp4", "2025-10-25T15:42:00"),
      Name("signal-2025-10-25-15-42-00-123.mp4", "2025-10-25T15:42:00.123"),
      Name("signal-2025-10-25-15-42-00-123-1.mp4", "2025-10-25T15:42:00.123"),
      Name("video_2025-10-25_15-42-00.mp4", "2025-10-25T15:42:00"),
      Name("audio_2025-10-25_15-42-00 (2).ogg", "2025-10-25T15:42:00"),
      Name("2025-10-25_5BFF6224-67DC-452B-A69A-39CF0BD39ADE-main.mp4", "2025-10-25T12:00:00"),
    ]

    static let recorders = [
      Name("Voice 251025_154200.m4a", "2025-10-25T15:42:00"),
      Name("Voice_251025_154200.m4a", "2025-10-25T15:42:00"),
      Name("voice 251025_154200 (1).m4a", "2025-10-25T15:42:00"),
      Name("Call recording +491511234567_251025_154200.m4a", "2025-10-25T15:42:00"),
      Name("Recording_20251025_154200.m4a", "2025-10-25T15:42:00"),
      Name("20251025 154200-AB12CD34.m4a", "2025-10-25T15:42:00"),
      Name("20251025 154200-12345678.m4a", "2025-10-25T15:42:00"),
      Name("CallRecord_20251025-154200_+12192826655.m4a", "2025-10-25T15:42:00"),
      Name("20251025_154200.123+0300_out.oga", "2025-10-25T15:42:00.123+03:00"),
      Name("2025_10_25_15_42_00.m4a", "2025-10-25T15:42:00"),
      Name("Voice 2025-10-25 15:42:00.m4a", "2025-10-25T15:42:00"),
    ]

    static let others = [
      Name("2025-10-25 15-42-00.mkv", "2025-10-25T15:42:00"),
      Name("2025-10-25 15.42.00.mkv", "2025-10-25T15:42:00"),
      Name("2025-10-25T15-42-00.mkv", "2025-10-25T15:42:00"),
      Name("20251025154200.m4a", "2025-10-25T15:42:00"),
      Name("20251025T134200Z.m4a", "2025-10-25T13:42:00Z"),
      Name("2025-10-25 why I stopped.m4a", "2025-10-25T12:00:00"),
      Name("why I stopped 2025.10.25.m4a", "2025-10-25T12:00:00"),
      Name("20251025.3gp", "2025-10-25T12:00:00"),
      // Only a day, so no more digits than a day has.
      Name("20251025.mov", "2025-10-25T12:00:00"),
      Name("20251025-2.m4a", "2025-10-25T12:00:00"),
      // An impossible date does not hide the date after it.
      Name("20251325_20251025_154200.mp4", "2025-10-25T15:42:00"),
    ]
  }

  @Test("A date in the file's name is read as the phone meant it", arguments: Name.all)
  func date(_ name: Name) throws {
    let found = try #require(FileNameDate.find(in: name.name, zone: Self.zone))
    let isUTC = name.meaning.hasSuffix("Z")
    let isElsewhere = name.meaning.hasSuffix("+03:00")
    let meaning = name.meaning + (isUTC || isElsewhere ? "" : "+02:00")
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: meaning.contains("."))
    #expect(found.date == (try style.parse(meaning)).roundedToMillisecond)
    // UTC gives the time, but not the zone.
    #expect(found.offsetMinutes == (isUTC ? nil : isElsewhere ? 180 : 120))
    #expect(found.source == .fileName)
  }

  @Test(
    "Digits that are not a date are ignored",
    arguments: [
      // Numbers
      "IMG_0412.MOV", "video.mp4", "MVI_99999999.AVI", "Recording 12.m4a", "VID-WA0028.mp4",
      "120251025_154200.mp4", "1761399720.mp4", "1761399720123.mp4", "2025102515.mp4",
      "202510251542.mp4", "20251025154200123.mp4", "202510251542001.mp4", "20251025_1542001.mp4",
      "20251025_15420012345.mp4",
      // Impossible days and times
      "20251325.mp4", "20251325_101010.mp4", "20250230_101010.mp4", "20250229_101010.mp4",
      "20251000_101010.mp4", "18991231.mp4", "21000101.mp4", "2025-13-25.mp4", "2025-1025.mp4",
      "20251025_254200.mp4", "20251025_304200.mp4", "20251025_156000.mp4", "20251025_154260.mp4",
      "20251025254200.mp4", "video_2025-10-25_25-42-00.mp4", "PXL_20251025_254200123.mp4",
      "Screen Recording 2025-10-25 at 25.42.00.mov",
      "Screen Recording 2025-10-25 at 13.42.00 PM.mov",
      "Voice 251325_154200.m4a", "Voice 251025_254200.m4a", "Voice 251025_1542001.m4a",
      "Voice 001.m4a", "251025_154200.m4a", "123456_123456.mp4", "Invoice 251025_154200.m4a",
      // Telephone numbers
      "+4920251025.m4a", "Call +20251025.m4a", "+49 151 20251025123.m4a", "20251025-1234567.m4a",
      "10987654321-2203021149.mp3",
      // Hashes and UUIDs
      "20251025-4F89-41D3-9A0C-0305E82C3301.mp4", "d41d8cd98f20251025e9800998ecf8427e.mp4",
      "20251025abcdef01.mp4", "deadbeef20251025.mp4", "e20251025154200ff.mp4",
      "3f2504e0-4f89-41d3-9a0c-202510251542.mov",
    ])
  func noDate(name: String) {
    #expect(FileNameDate.find(in: name, zone: Self.zone) == nil)
  }

  @Test("An hour that the local clocks skipped still gives the day")
  func skippedHour() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let found = try #require(FileNameDate.find(in: "20250330_023000.mp4", zone: berlin))
    let expected = try Date("2025-03-30T01:30:00Z", strategy: .iso8601)
    #expect(abs(found.date.timeIntervalSince(expected)) <= 3600)
  }
}
