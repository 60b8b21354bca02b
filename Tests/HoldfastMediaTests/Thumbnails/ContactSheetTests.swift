import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A contact sheet", .temporaryFolder, .notInSample)
struct ContactSheetTests {
  private func clip(_ name: String, _ seconds: Int = 8) async throws -> String {
    try await make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=640x360:r=10:d=\(seconds),hue=h=n*9:s=0.5", "-pix_fmt",
        "yuv420p", "-g", "25", "-bf", name.hasSuffix("avi") ? "0" : "2", "-b:v", "4M",
      ])
  }

  @Test(
    "has the pictures that ffmpeg shows in the middle of each share of the length",
    arguments: Extent.sample(["clip.mov", "clip.mkv", "clip.ts", "clip.avi"], every: 3))
  func pictures(_ name: String) async throws {
    let source = try await clip(name)
    let (columns, rows) = (3, 2)
    let (report, path) = try await thumbnail(
      source,
      ThumbnailJob(longSide: 320, quality: 95, sheet: ContactSheet(columns: columns, rows: rows)))
    let (width, height) = try await JPEGFile.dimensions(path)
    #expect(report.size == PictureSize(width: width, height: height))
    #expect(report.choice == nil)
    #expect((width, height) == (columns * 324 + 4, rows * 184 + 4))
    let start = 0.0
    for number in 0..<columns * rows {
      let time = (Double(number) + 0.5) / Double(columns * rows) * 8 + start
      let place = "\(4 + number % columns * 324):\(4 + number / columns * 184)"
      // Without the lowest part, which shows its time.
      let alike = try await likeness(
        path, "crop=320:180:\(place):exact=1,crop=320:140:0:0,format=yuv420p", to: source,
        "select='gte(t,\(time - 0.0999))',trim=end_frame=1,"
          + "scale=320:180:flags=area:out_range=pc,crop=320:140:0:0,format=yuv420p")
      #expect(alike >= 0.95, "\(number): \(alike)")
      let text = try await likeness(
        path,
        "crop=40:20:\(4 + number % columns * 324):\(164 + number / columns * 184),format=gray",
        to: source,
        "select='gte(t,\(time - 0.0999))',trim=end_frame=1,"
          + "scale=320:180:flags=area:out_range=pc,crop=40:20:0:160,format=gray")
      #expect(text < 0.7, "\(number): \(text)")
    }
  }

  @Test("never scales up, and accepts a clip of one picture")
  func small() async throws {
    let (report, path) = try await thumbnail(
      Fixtures.path("one-picture.mp4"),
      ThumbnailJob(longSide: 4000, sheet: ContactSheet(columns: 2, rows: 1)))
    let picture = try #require(
      try await probe(Fixtures.path("one-picture.mp4")).videoStream?.picture?.displaySize.even)
    #expect(
      report.size == PictureSize(width: 2 * picture.width + 12, height: picture.height + 8))
    _ = try await JPEGFile.dimensions(path)
  }

  @Test(
    "of too many pictures, or none, is refused with the figures",
    arguments: Extent.sample([(0, 1), (1, 0), (11, 1), (1, 11), (-1, 4)], every: 3))
  func shape(_ columns: Int, _ rows: Int) async throws {
    let error = try await #require(throws: HoldfastError.self) {
      try await thumbnail(
        Fixtures.path("silent-video.mp4"),
        ThumbnailJob(sheet: ContactSheet(columns: columns, rows: rows)))
    }
    #expect(error.reason.contains("\(columns) × \(rows)"))
    #expect(error.reason.contains("1 to 10"))
  }

  @Test("of more pixels than are decoded of one picture is refused")
  func pixels() async throws {
    let source = try await make(
      "large.mov", ["-f", "lavfi", "-i", "color=gray:s=1280x720:r=10:d=0.3"])
    let error = try await #require(throws: HoldfastError.self) {
      try await thumbnail(
        source, ThumbnailJob(longSide: 1280, sheet: ContactSheet(columns: 10, rows: 10)))
    }
    #expect(error.code == .tooLarge)
    #expect(error.reason.contains("12844 × 7244"))
  }
}
