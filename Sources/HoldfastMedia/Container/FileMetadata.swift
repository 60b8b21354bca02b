import CFFmpeg
import Foundation
import HoldfastModel

/// A file's origin, according to its metadata. Unless a person asks to keep it, only the date is
/// written into the recording.
struct FileMetadata {
  /// When the file was made, according to the file.
  var creation: RecordingTimestamp?
  /// Whether ``creation`` is a clock's time without a zone, read as if it were UTC.
  var isCreationLocal = false
  var hasLocation = false
  var make: String?
  var model: String?
  /// The identifier that both halves of a Live Photo share.
  var contentIdentifier: String?

  init(_ demuxer: borrowing Demuxer) {
    let tags = Self.tags(of: demuxer)
    let now = Date()
    // com.apple.quicktime.creationdate is the QuickTime key. ©day, which older phones write with
    // time and zone, arrives as "date". A recorder's WAV has the day and the time apart.
    let day = tags["date"]
    let time = tags["creation_time"]
    let dates = [
      Self.read(tags["com.apple.quicktime.creationdate"], .quickTime), Self.read(day, .quickTime),
      Self.read(time, .container),
      Self.read(day.flatMap { day in time.map { "\(day) \($0)" } }, .container),
    ].compactMap(\.self).filter { $0.timestamp.isPlausible(now: now) }
    // A moment is better than a time in an unknown zone.
    creation = dates.first(where: \.hasZone)?.timestamp
    if creation == nil, let local = dates.first?.timestamp {
      creation = RecordingTimestamp(date: local.date, source: .container)
      isCreationLocal = true
    }
    hasLocation = tags.keys.contains(where: OriginTag.namesPlace)
    make = tags.first(of: ["com.apple.quicktime.make", "com.android.manufacturer", "make"])
    model = tags.first(of: ["com.apple.quicktime.model", "com.android.model", "model"])
    contentIdentifier = tags.first(of: ["com.apple.quicktime.content.identifier"])
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

  /// Reads a date with a time in any form that FFmpeg passes on. A camera's AVI has
  /// `2024-05-06 07:08:09` or `2005-08-17/ 11:42`, a recorder's WAV `2024:05:06 07-08-09`. Where a
  /// file has several, FFmpeg puts semicolons between them, and the first is read.
  static func read(
    _ text: String?, _ source: TimestampSource
  ) -> (timestamp: RecordingTimestamp, hasZone: Bool)? {
    guard let text = text?.prefix(while: { $0 != ";" }),
      let match = text.wholeMatch(
        of:
          #/
          \s* ([0-9]{4}) [-:./_\ ] \s? ([0-9]{1,2}) [-:./_\ ] \s? ([0-9]{1,2}) (?: T | [/,\s]\s* )
          ([0-9]{1,2}) [-:._\ ] ([0-9]{2}) (?: [-:._\ ] ([0-9]{2}) (\.[0-9]+)? )?
          \s? ([AaPp])?[Mm]? \s? (Z|UTC|[+-][0-9]{2}:?[0-9]{2})? \s*
          /#), var hour = Int(match.4)
    else { return nil }
    if let half = match.8 { hour = hour % 12 + (half.lowercased() == "p" ? 12 : 0) }
    let two = { (digits: Substring) in (digits.count < 2 ? "0" : "") + digits }
    let clock = "\(two("\(hour)")):\(match.5):\(match.6 ?? "00")\(match.7 ?? "")"
    let zone = match.9.flatMap { zoneOffset(String($0)) }
    // The time is read as UTC. Then the zone's offset is subtracted.
    var microseconds: Int64 = 0
    let day = "\(match.1)-\(two(match.2))-\(two(match.3))"
    guard av_parse_time(&microseconds, "\(day)T\(clock)Z", 0) >= 0 else { return nil }
    let seconds = Double(microseconds) / 1_000_000 - Double(zone ?? 0) * 60
    let timestamp = RecordingTimestamp(
      date: Date(timeIntervalSince1970: seconds), offsetMinutes: zone, source: source)
    return (timestamp, match.9 != nil)
  }

  /// Returns the minutes of a zone such as `+0200` or `-03:30`; `nil` for UTC and for zones that do
  /// not exist.
  private static func zoneOffset(_ text: String) -> Int? {
    guard let hours = Int(text.dropFirst().prefix(2)), let minutes = Int(text.suffix(2)),
      hours <= 14, minutes < 60
    else { return nil }
    return (text.hasPrefix("-") ? -1 : 1) * (hours * 60 + minutes)
  }
}
