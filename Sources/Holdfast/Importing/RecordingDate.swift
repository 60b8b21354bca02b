internal import Foundation
internal import HoldfastModel
internal import HoldfastStorage

extension RecordingTimestamp {
  /// When a source was recorded: what the file says itself, else a date in its name, else when it
  /// was last modified. A time that cannot be is no time, and the next is asked (DESIGN §5).
  ///
  /// - Parameters:
  ///   - info: What the engine found.
  ///   - name: The source's file name.
  ///   - identity: Says when the source was last modified.
  ///   - now: The present, a day after which nothing was recorded.
  init(of info: MediaInfo, name: String, identity: FileIdentity, now: Date) {
    let modified = RecordingTimestamp(
      date: Date(timeIntervalSince1970: Double(identity.modified) / 1e9),
      source: .modificationTime)
    let plausible = { (time: RecordingTimestamp?) in
      time.flatMap { $0.isPlausible(now: now) ? $0 : nil }
    }
    self =
      plausible(info.creation) ?? plausible(FileNameDate.find(in: name)) ?? plausible(modified)
      ?? RecordingTimestamp(date: now, source: .modificationTime)
  }
}
