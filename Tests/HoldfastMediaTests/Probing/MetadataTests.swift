import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Metadata about a file's origin", .temporaryFolder)
struct MetadataTests {
  /// 2025-10-25T15:42:00+0200.
  private static let moment = Date(timeIntervalSince1970: 1_761_399_720)

  @Test("A phone's clip names its time with the zone, its place and its device")
  func phone() async throws {
    let info = try await probe(Fixtures.path("portrait.mov"))
    #expect(
      info.creation
        == RecordingTimestamp(date: Self.moment, offsetMinutes: 120, source: .quickTime))
    #expect(info.hasLocation)
    #expect(info.make == "Apple")
    #expect(info.model == "iPhone 15 Pro")
    #expect(!(try await Exif.hasLocationOrDevice(Fixtures.path("portrait.mov"))).isEmpty)
  }

  @Test(
    "Files without a place or device get none",
    arguments: Extent.sample(
      ["silent-video.mp4", "voice.wav", "voice.ogg", "h263.avi", "two-tracks.mkv"], every: 3))
  func nothing(_ name: String) async throws {
    let info = try await probe(Fixtures.path(name))
    #expect(try await Exif.hasLocationOrDevice(Fixtures.path(name)).isEmpty)
    #expect(!info.hasLocation)
    #expect(info.make == nil)
    #expect(info.model == nil)
  }

  private func clip(_ metadata: [String]) async throws -> String {
    try await make(
      "dated.mov",
      ["-i", "file:" + Fixtures.path("silent-video.mp4"), "-c", "copy", "-map_metadata", "-1"]
        + metadata.flatMap { ["-metadata", $0] } + ["-movflags", "use_metadata_tags"])
  }

  @Test(
    "The container's creation time is UTC, without a zone",
    arguments: ["2025-10-25T13:42:00Z", "2025-10-25T13:42:00.000000Z"])
  func container(_ text: String) async throws {
    let creation = try await probe(try await clip(["creation_time=\(text)"])).creation
    #expect(creation == RecordingTimestamp(date: Self.moment, source: .container))
  }

  @Test(
    "QuickTime's date comes first, with its zone however it is written",
    arguments: [
      ("2025-10-25T15:42:00+0200", 120), ("2025-10-25T15:42:00+02:00", 120),
      ("2025-10-25T10:12:00-0330", -210), ("2025-10-25T13:42:00+0000", 0),
      ("2025-10-26T03:42:00+1400", 840),
    ])
  func zones(_ text: String, _ offset: Int) async throws {
    let path = try await clip([
      "creation_time=2024-01-01T00:00:00Z", "com.apple.quicktime.creationdate=\(text)",
    ])
    #expect(
      try await probe(path).creation
        == RecordingTimestamp(date: Self.moment, offsetMinutes: offset, source: .quickTime))
  }

  @Test(
    "A recorder's and a camera's time without a zone is read in every form, as local",
    arguments: [
      "2025-10-25 13:42:00", "2025:10:25 13:42:00", "2025/10/25/ 13:42", "2025-10-25T13:42:00",
      "2025/10/25  1:42PM", "2025-10-25 13:42:00.000", "2025-10-25 13:42:00;2025-10-26 01:02:03",
    ])
  func local(_ text: String) async throws {
    let sound = ["-f", "lavfi", "-i", "sine=duration=0.2", "-metadata", "date=\(text)"]
    for name in ["a.wav", "a.avi"] {
      let path = try await make(name, sound + ["-fflags", "+bitexact"])
      let info = try await probe(path)
      #expect(info.creation == RecordingTimestamp(date: Self.moment, source: .container))
      #expect(info.isCreationLocal == true)
    }
  }

  @Test(
    "The day and the time of a field recorder are one date",
    arguments: [("2025-10-25", "13:42:00"), ("2025:10:25", "13-42-00"), ("2025_10_25", "13.42.00")])
  func broadcastExtension(day: String, time: String) async throws {
    let path = try await make(
      "bext.wav",
      [
        "-f", "lavfi", "-i", "sine=duration=0.2", "-write_bext", "1", "-metadata",
        "origination_date=\(day)", "-metadata", "origination_time=\(time)",
      ])
    let info = try await probe(path)
    #expect(info.creation == RecordingTimestamp(date: Self.moment, source: .container))
    #expect(info.isCreationLocal == true)
  }

  @Test("A day alone is not a time")
  func dayOnly() async throws {
    let path = try await make(
      "day.wav", ["-f", "lavfi", "-i", "sine=duration=0.2", "-metadata", "date=2025-10-25"])
    #expect(try await probe(path).creation == nil)
  }

  @Test(
    "The container's date replaces a QuickTime date that is invalid or has no zone",
    arguments: Extent.sample(
      ["2025-10-25T15:42:00", "yesterday", "2025", "", "1904-01-01T00:00:00+0000"], every: 3))
  func noZone(_ text: String) async throws {
    let path = try await clip([
      "creation_time=2025-10-25T13:42:00Z", "com.apple.quicktime.creationdate=\(text)",
    ])
    #expect(
      try await probe(path).creation
        == RecordingTimestamp(date: Self.moment, source: .container))
  }

  @Test(
    "A time from a clock that was never set, or is ahead, is ignored",
    arguments: Extent.sample(
      ["1970-01-01T00:00:01Z", "1980-01-01T00:00:00Z", "2100-01-01T00:00:00Z"], every: 3))
  func implausible(_ text: String) async throws {
    #expect(try await probe(try await clip(["creation_time=\(text)"])).creation == nil)
  }
}
