public import Foundation
public import Holdfast

/// Which prayers to return.
public struct PrayerQuery: Hashable, Sendable {
  /// Only prayers of this status.
  public var status: PrayerStatus?
  /// The first day on which they were first prayed; `nil` for no limit.
  public var first: Day?
  /// The last day on which they were first prayed; `nil` for no limit.
  public var last: Day?
  /// Only prayers with this tag, in any case.
  public var tag: String?
  /// Text that the title, the details, the answer's notes or a tag contains, in any case and with or
  /// without accents.
  public var search: String?
  /// Only prayers that were spoken in this recording.
  public var recording: RecordingID?
  /// Whether private prayers are returned too.
  public var includesPrivate: Bool
  /// The most prayers to return.
  public var limit: Int?
  /// How many prayers to skip first.
  public var offset: Int

  /// Makes a query, by default for all prayers that are not private.
  public init(
    status: PrayerStatus? = nil, from first: Day? = nil, through last: Day? = nil,
    tag: String? = nil, search: String? = nil, recording: RecordingID? = nil,
    includesPrivate: Bool = false, limit: Int? = nil, offset: Int = 0
  ) {
    self.status = status
    self.first = first
    self.last = last
    self.tag = tag
    self.search = search
    self.recording = recording
    self.includesPrivate = includesPrivate
    self.limit = limit
    self.offset = offset
  }

  func list(_ db: any RecordDatabase) throws -> RecordList {
    var list = RecordList("prayer", from: first, through: last)
    if let status { list.filter("status = ?", .text(status.rawValue)) }
    if let tag { try list.filter(tag: tag, in: "prayerTag", db) }
    if let search = search?.nonBlank { list.filter(search: search) }
    if let recording { list.filter("recordingId = ?", .text(recording.uuidString)) }
    if !includesPrivate {
      list.filter("isPrivate = 0")
    } else if status != nil {
      // The index by status has this column before the date.
      list.filter("isPrivate IN (0, 1)")
    }
    return list
  }
}

/// How prayers were answered in a period.
public struct PrayerAnswers: Codable, Hashable, Sendable {
  /// How many were answered.
  public var count: Int
  /// How many days passed from the prayer to its answer, on average; `nil` if none was answered.
  public var averageDays: Double?

  /// Makes figures.
  public init(count: Int, averageDays: Double?) {
    self.count = count
    self.averageDays = averageDays
  }
}
