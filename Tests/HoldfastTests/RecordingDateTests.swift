import Foundation
@testable import Holdfast
import HoldfastModel
@testable import HoldfastStorage
import Testing

@Suite("When a recording was made")
struct RecordingDateTests {
  private static let berlin = TimeZone(secondsFromGMT: 7200) ?? .gmt

  @Test(
    "A date in the file's name is found",
    arguments: [
      ("IMG_20251025_154200.mp4", "2025-10-25T13:42:00Z"),
      ("PXL_20251025_154200123.mp4", "2025-10-25T13:42:00Z"),
      ("VID-20251025-WA0007.mp4", "2025-10-25T10:00:00Z"),
      ("Screen Recording 2025-10-25 at 15.42.00.mov", "2025-10-25T13:42:00Z"),
      ("signal-2025-10-25-154200.mp4", "2025-10-25T13:42:00Z"),
      ("Voice 2025-10-25 15:42:00.m4a", "2025-10-25T13:42:00Z"),
      ("PTT-20251025-WA0001.opus", "2025-10-25T10:00:00Z"),
    ])
  func nameWithDate(name: String, expected: String) throws {
    let found = try #require(FileNameDate.find(in: name, zone: Self.berlin))
    #expect(found.date == (try Date(expected, strategy: .iso8601)))
    #expect(found.offsetMinutes == 120)
    #expect(found.source == .fileName)
  }

  @Test(
    "A number that is no date is not taken for one",
    arguments: [
      "IMG_0412.MOV", "20251325_101010.mp4", "20250230_101010.mp4", "120251025_154200.mp4",
      "video.mp4", "18991231.mp4", "MVI_99999999.AVI",
    ])
  func nameWithoutDate(name: String) {
    #expect(FileNameDate.find(in: name, zone: Self.berlin) == nil)
  }

  @Test("A time that cannot be is no time, and the next is asked")
  func implausible() throws {
    let now = try Date("2025-11-01T00:00:00Z", strategy: .iso8601)
    let modified = try Date("2025-10-30T08:00:00Z", strategy: .iso8601)
    let identity = FileIdentity.modified(at: modified)
    for creation in ["1904-01-01T00:00:00Z", "2025-11-02T00:00:01Z"] {
      let info = MediaInfo(
        container: "mov", fileSize: 1,
        creation: RecordingTimestamp(
          date: try Date(creation, strategy: .iso8601), source: .container))
      let named = RecordingTimestamp(
        of: info, name: "IMG_20251025_154200.mp4", identity: identity, now: now)
      #expect(named.source == .fileName)
      let unnamed = RecordingTimestamp(of: info, name: "clip.mp4", identity: identity, now: now)
      #expect(unnamed.source == .modificationTime)
      #expect(unnamed.date == modified)
    }
  }

  @Test("What the file says itself goes before its name")
  func ownWordFirst() throws {
    let now = try Date("2025-11-01T00:00:00Z", strategy: .iso8601)
    let own = RecordingTimestamp(
      date: try Date("2025-10-25T13:42:00Z", strategy: .iso8601), offsetMinutes: 120,
      source: .quickTime)
    let found = RecordingTimestamp(
      of: MediaInfo(container: "mov", fileSize: 1, creation: own), name: "20240101_000000.mov",
      identity: .modified(at: now), now: now)
    #expect(found == own)
  }
}

extension FileIdentity {
  /// A file that was last modified at a moment; everything else is made up.
  fileprivate static func modified(at date: Date) -> FileIdentity {
    FileIdentity(
      device: 1, inode: 1, size: 1, modified: Int64(date.timeIntervalSince1970 * 1e9), changed: 0,
      kind: .regular)
  }
}
