public import Foundation
public import Holdfast

/// Which entries of the journal to return.
public struct JournalEntryQuery: Hashable, Sendable {
  /// The first day that they are about; `nil` for no limit.
  public var first: Day?
  /// The last day that they are about; `nil` for no limit.
  public var last: Day?
  /// Only entries with this tag, in any case.
  public var tag: String?
  /// Only entries with this mood, in any case.
  public var mood: String?
  /// Text that the title, the content or a tag contains, in any case and with or without accents.
  public var search: String?
  /// Only entries whose voice note is this recording.
  public var recording: RecordingID?
  /// Only entries with a voice note.
  public var hasVoiceNote: Bool
  /// Whether private entries are returned too.
  public var includesPrivate: Bool
  /// The most entries to return.
  public var limit: Int?
  /// How many entries to skip first.
  public var offset: Int

  /// Makes a query, by default for all entries that are not private.
  public init(
    from first: Day? = nil, through last: Day? = nil, tag: String? = nil, mood: String? = nil,
    search: String? = nil, recording: RecordingID? = nil, hasVoiceNote: Bool = false,
    includesPrivate: Bool = false, limit: Int? = nil, offset: Int = 0
  ) {
    self.first = first
    self.last = last
    self.tag = tag
    self.mood = mood
    self.search = search
    self.recording = recording
    self.hasVoiceNote = hasVoiceNote
    self.includesPrivate = includesPrivate
    self.limit = limit
    self.offset = offset
  }

  func list(_ db: any RecordDatabase) throws -> RecordList {
    var list = RecordList("journalEntry", from: first, through: last)
    if let tag { try list.filter(tag: tag, in: "entryTag", db) }
    if let mood { list.filter("foldedMood = ?", .text(mood.trimmed.foldedCase)) }
    if let search = search?.nonBlank { list.filter(search: search) }
    if let recording { list.filter("recordingId = ?", .text(recording.uuidString)) }
    if hasVoiceNote, recording == nil { list.filterRarely("recordingId IS NOT NULL") }
    if !includesPrivate {
      list.filter("isPrivate = 0")
    } else if search?.nonBlank != nil {
      // The index that has the text begins with this column.
      list.filter("isPrivate IN (0, 1)")
    }
    return list
  }
}
