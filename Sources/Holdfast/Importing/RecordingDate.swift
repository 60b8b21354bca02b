import Foundation
import HoldfastModel
import HoldfastStorage

extension RecordingTimestamp {
  /// Finds when a source was recorded: the time in the file itself, else a date in its name, else
  /// the time when it was last modified.
  ///
  /// An implausible time is ignored, and the next one is tried.
  ///
  /// - Parameter now: The current time. A time more than a day later is implausible.
  init(of info: MediaInfo, name: String, identity: FileIdentity, now: Date) {
    let modified = RecordingTimestamp(
      date: Date(timeIntervalSince1970: Double(identity.modified) / 1e9),
      source: .modificationTime)
    let plausible = { (time: RecordingTimestamp?) in
      time.flatMap { $0.isPlausible(now: now) ? $0 : nil }
    }
    self =
      plausible(info.creationInZone(.current)) ?? plausible(FileNameDate.find(in: name))
      ?? plausible(modified)
      ?? RecordingTimestamp(date: now, source: .modificationTime)
  }
}

extension MediaInfo {
  /// Returns ``creation``, whose time is in `zone` if the file names no zone, like a date in a
  /// name.
  func creationInZone(_ zone: TimeZone) -> RecordingTimestamp? {
    guard isCreationLocal == true, let creation else { return creation }
    var offset = zone.secondsFromGMT(for: creation.date)
    offset = zone.secondsFromGMT(for: creation.date - Double(offset))
    return RecordingTimestamp(
      date: creation.date - Double(offset), offsetMinutes: offset / 60, source: creation.source)
  }
}
