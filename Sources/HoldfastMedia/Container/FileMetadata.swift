import CFFmpeg
import Foundation
import HoldfastModel

/// A file's origin, according to its metadata. Unless a person asks to keep it, only the date is
/// written into the recording.
struct FileMetadata {
  /// When the file was made, according to the file.
  var creation: RecordingTimestamp?
  var hasLocation = false
  var make: String?
  var model: String?
  /// The identifier that both halves of a Live Photo share.
  var contentIdentifier: String?

  init(_ demuxer: borrowing Demuxer) {
    let tags = Self.tags(of: demuxer)
    let now = Date()
    let dates = [
      // com.apple.quicktime.creationdate is the QuickTime key. ©day, which older phones write with
      // time and zone, arrives as "date".
      Self.timestamp(tags["com.apple.quicktime.creationdate"], .quickTime, needsZone: true),
      Self.timestamp(tags["date"], .quickTime, needsZone: true),
      Self.timestamp(tags["creation_time"], .container, needsZone: false),
    ]
    creation = dates.lazy.compactMap { $0 }.first { $0.isPlausible(now: now) }
    hasLocation = tags.keys.contains(where: OriginTag.namesPlace)
    make = Self.first(
      of: ["com.apple.quicktime.make", "com.android.manufacturer", "make"], in: tags)
    model = Self.first(
      of: ["com.apple.quicktime.model", "com.android.model", "model"], in: tags)
    contentIdentifier = Self.first(of: ["com.apple.quicktime.content.identifier"], in: tags)
  }

  private static func first(of keys: [String], in tags: [String: String]) -> String? {
    keys.lazy.compactMap { tags[$0] }.first { !$0.isEmpty }
  }

  /// Returns all tags of a file and of its streams, with lower-cased names. If both have a tag, the
  /// file's own counts.
  static func tags(of demuxer: borrowing Demuxer) -> [String: String] {
    var tags = tags(demuxer.context.pointee.metadata)
    for stream in demuxer.streams {
      tags.merge(Self.tags(stream.pointee.metadata)) { file, _ in file }
    }
    return tags
  }

  /// Returns one of FFmpeg's dictionaries with lower-cased keys.
  private static func tags(_ dictionary: OpaquePointer?) -> [String: String] {
    var tags: [String: String] = [:]
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entry = next
      tags[String(cString: next.pointee.key).lowercased()] = String(cString: next.pointee.value)
    }
    return tags
  }

  /// Reads a date such as `2025-10-25T15:42:00+0200` or `2025-10-25T13:42:00.000000Z`. With
  /// `needsZone`, a date without a zone is rejected, because it may be off by half a day.
  static func timestamp(
    _ text: String?, _ source: TimestampSource, needsZone: Bool
  ) -> RecordingTimestamp? {
    guard let text, text.contains("T") else { return nil }
    let zone = zoneOffset(text)
    guard zone != nil || text.hasSuffix("Z") || !needsZone else { return nil }
    // Only the part before the zone is read, as UTC. Then the zone's offset is subtracted.
    let local = zone == nil ? text : String(text.dropLast(zone?.length ?? 0)) + "Z"
    var microseconds: Int64 = 0
    guard av_parse_time(&microseconds, local, 0) >= 0 else { return nil }
    let seconds = Double(microseconds) / 1_000_000 - Double(zone?.minutes ?? 0) * 60
    return RecordingTimestamp(
      date: Date(timeIntervalSince1970: seconds), offsetMinutes: zone?.minutes, source: source)
  }

  /// Returns the zone at the end of a date (`+0200`, `-03:30`) and how many characters it takes.
  private static func zoneOffset(_ text: String) -> (minutes: Int, length: Int)? {
    guard let match = text.firstMatch(of: /([+-])(\d\d):?(\d\d)$/),
      let hours = Int(match.2), let minutes = Int(match.3), hours <= 14, minutes < 60
    else { return nil }
    let east = match.1 == "+" ? 1 : -1
    return (east * (hours * 60 + minutes), match.0.count)
  }
}
