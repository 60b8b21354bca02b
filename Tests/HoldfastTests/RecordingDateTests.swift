import Foundation
@testable import Holdfast
import HoldfastModel
@testable import HoldfastStorage
import Testing

@Suite("When a recording was made")
struct RecordingDateTests {
  @Test("An impossible time is ignored, and the next source of the time is used")
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

  @Test(
    "A time without a zone is local, in summer and in winter",
    arguments: [
      ("2024-05-06T07:08:09Z", "2024-05-06T05:08:09Z", 120),
      ("2024-01-06T07:08:09Z", "2024-01-06T06:08:09Z", 60),
      ("2024-03-31T03:30:00Z", "2024-03-31T01:30:00Z", 120),
    ])
  func local(said: String, moment: String, offset: Int) throws {
    var info = MediaInfo(
      container: "avi", fileSize: 1,
      creation: RecordingTimestamp(
        date: try Date(said, strategy: .iso8601), source: .container))
    info.isCreationLocal = true
    let zone = try #require(TimeZone(identifier: "Europe/Oslo"))
    let moment = try Date(moment, strategy: .iso8601)
    #expect(
      info.creationInZone(zone)
        == RecordingTimestamp(date: moment, offsetMinutes: offset, source: .container))
  }

  @Test("The file's own metadata have priority over its name")
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
