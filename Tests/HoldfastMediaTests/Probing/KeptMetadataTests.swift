import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Keeping the place and device of a recording", .temporaryFolder)
struct KeptMetadataTests {
  /// Makes a clip of a fixture, with these tags and no others.
  private func clip(_ name: String, of fixture: String, _ tags: [String]) async throws -> String {
    try await make(
      name,
      ["-i", "file:" + Fixtures.path(fixture), "-c", "copy", "-map_metadata", "-1"]
        + tags.flatMap { ["-metadata", $0] } + ["-movflags", "use_metadata_tags"])
  }

  private func convertKeeping(
    _ source: String, policy: VideoPolicy = .auto
  ) async throws -> Converted {
    try await convert(source, policy: policy) { $0.keepsMetadata = true }
  }

  private func tags(_ path: String) async throws -> [String: String] {
    try #require(try await FFprobe.format(path)).tags
  }

  private static let apple = [
    "com.apple.quicktime.location.ISO6709=+59.9139+010.7522+012.345/",
    "com.apple.quicktime.location.accuracy.horizontal=4.7", "com.apple.quicktime.make=Apple",
    "com.apple.quicktime.model=iPhone 15 Pro", "com.apple.quicktime.software=18.0.1",
    "com.apple.quicktime.creationdate=2025-10-25T15:42:00+0200",
    "com.apple.quicktime.camera.lens_model=iPhone 15 Pro back camera",
  ]
  private static let untold = [
    "title=My title", "comment=My comment", "artist=Jane Doe", "description=Secret",
    "com.apple.quicktime.author=Jane Doe", "com.apple.quicktime.displayname=My title",
    "com.apple.quicktime.content.identifier=E905E6C6-C747-4805-942F-9904A0281F02",
  ]

  @Test(
    "An iPhone's place and device are kept in the output, and none of its other metadata",
    arguments: [
      ("clip.mov", "silent-video.mp4", VideoPolicy.auto), ("clip.mov", "portrait.mov", .h264),
      ("memo.m4a", "aac.m4a", .auto),
    ])
  func apple(_ name: String, _ fixture: String, _ policy: VideoPolicy) async throws {
    let source = try await clip(name, of: fixture, Self.apple + Self.untold)
    let made = try await convertKeeping(source, policy: policy)
    #expect(made.report.keptMetadata?.count == Self.apple.count)
    let tags = try await tags(made.path)
    for tag in Self.apple {
      let parts = tag.split(separator: "=", maxSplits: 1).map(String.init)
      #expect(tags[parts[0]] == parts[1])
    }
    for tag in Self.untold {
      let parts = tag.split(separator: "=", maxSplits: 1).map(String.init)
      #expect(tags[parts[0]] == nil, "\(parts[0])")
      #expect(!tags.values.contains(parts[1]), "\(parts[1])")
    }
    let exif = try await Exif.tags(made.path)
    #expect(exif["Keys:Make"] == "Apple")
    #expect(exif["Keys:Model"] == "iPhone 15 Pro")
    #expect(exif["Keys:Software"] == "18.0.1")
    #expect(exif["Keys:CreationDate"] == "2025:10:25 15:42:00+02:00")
    #expect(
      exif["Keys:GPSCoordinates"]
        == "59 deg 54' 50.04\" N, 10 deg 45' 7.92\" E, 12.345 m Above Sea Level")
    let mediainfo = try await Command.output(of: "mediainfo", ["--Full", made.path]).output
    // Later releases separate the three with blanks.
    #expect(mediainfo.filter { $0 != " " }.contains("+59.9139+010.7522+012.345"))
    #expect(!mediainfo.contains("Jane Doe"))
    // The next reader of the file reads the same.
    let info = try await probe(made.path)
    #expect(info.hasLocation && info.make == "Apple" && info.model == "iPhone 15 Pro")
    #expect(info.creation?.offsetMinutes == 120)
    #expect(info.contentIdentifier == nil)
    try await made.check()
  }

  @Test(
    "An Android phone's metadata are kept in its own form and in Apple's",
    arguments: ["mp4", "m4a"])
  func android(_ fileExtension: String) async throws {
    let source = try await clip(
      "clip.\(fileExtension)", of: fileExtension == "mp4" ? "silent-video.mp4" : "aac.m4a",
      [
        "location=+52.5000+013.4000/", "location-eng=+52.5000+013.4000/",
        "com.android.manufacturer=Google", "com.android.model=Pixel 8", "com.android.version=15",
        "title=My title",
      ])
    let made = try await convertKeeping(source)
    let tags = try await tags(made.path)
    #expect(tags["com.android.manufacturer"] == "Google")
    #expect(tags["com.android.model"] == "Pixel 8")
    #expect(tags["com.android.version"] == "15")
    #expect(tags["com.apple.quicktime.make"] == "Google")
    #expect(tags["com.apple.quicktime.model"] == "Pixel 8")
    #expect(tags["location"] == "+52.5000+013.4000/")
    #expect(tags["com.apple.quicktime.location.ISO6709"] == "+52.5000+013.4000/")
    #expect(tags["title"] == nil)
    let exif = try await Exif.tags(made.path)
    #expect(exif["Keys:GPSCoordinates"] == "52 deg 30' 0.00\" N, 13 deg 24' 0.00\" E")
    #expect(exif["Keys:Make"] == "Google" && exif["Keys:AndroidModel"] == "Pixel 8")
  }

  @Test("QuickTime's older boxes and Matroska's tags are read as well, each in its own case")
  func otherSpellings() async throws {
    let old = try await make(
      "old.mov",
      [
        "-i", "file:" + Fixtures.path("silent-video.mp4"), "-c", "copy", "-map_metadata", "-1",
        "-metadata", "location=+52.5+013.4/", "-metadata", "make=Apple", "-metadata",
        "model=iPhone 4", "-metadata", "title=My title",
      ])
    let made = try await tags(try await convertKeeping(old).path)
    #expect(made["com.apple.quicktime.location.ISO6709"]?.hasPrefix("+52.5") == true)
    #expect(made["com.apple.quicktime.make"] == "Apple" && made["make"] == "Apple")
    #expect(made["com.apple.quicktime.model"] == "iPhone 4" && made["title"] == nil)
    let matroska = try await make(
      "clip.mkv",
      [
        "-i", "file:" + Fixtures.path("silent-video.mp4"), "-c", "copy", "-map_metadata", "-1",
        "-metadata", "LOCATION=Berlin", "-metadata", "MAKE=Sony", "-metadata", "COMMENT=Secret",
      ])
    let other = try await tags(try await convertKeeping(matroska).path)
    #expect(other["location"] == "Berlin" && other["com.apple.quicktime.make"] == "Sony")
    // A place name is not stored as Apple's coordinates.
    #expect(other["com.apple.quicktime.location.ISO6709"] == nil)
    #expect(!other.values.contains("Secret"))
  }

  @Test("Without the option, or of a source without place and device, nothing is kept")
  func nothing() async throws {
    let source = try await clip("clip.mov", of: "silent-video.mp4", Self.apple)
    let plain = try await convert(source)
    #expect(plain.report.keptMetadata == nil)
    #expect(try await Exif.hasLocationOrDevice(plain.path).isEmpty)
    #expect(plain.plan.keepsMetadata == nil)
    let mute = try await convertKeeping(Fixtures.path("silent-video.mp4"))
    #expect(mute.report.keptMetadata == [])
    let same = try await convert(Fixtures.path("silent-video.mp4"))
    #expect(
      try Data(contentsOf: URL(filePath: mute.path)) == Data(contentsOf: URL(filePath: same.path)))
  }

  @Test("A tag as long as a book is not kept")
  func longTag() async throws {
    let source = try await clip(
      "clip.mov", of: "silent-video.mp4",
      [
        "com.apple.quicktime.location.name=" + String(repeating: "Berlin ", count: 200),
        "make=Apple",
      ])
    #expect(
      try await convertKeeping(source).report.keptMetadata == ["com.apple.quicktime.make", "make"])
  }
}
