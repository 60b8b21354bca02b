public import Foundation
public import Holdfast

/// Which entries, prayers or moods to return, newest first.
public struct FaithQuery<Record: JournalRecord>: Sendable {
  /// The most records to return; `nil` for all.
  public var limit: Int?
  /// How many records to skip first.
  public var offset: Int
  /// Whether private records are returned too. Moods are never private.
  public var includesPrivate: Bool
  fileprivate var list: RecordList
  /// The tag that the records have, and the table of the tags.
  fileprivate var tag: (text: String, table: String)?

  /// Whether the list's index has `isPrivate` before the columns of the order; `nil` for moods.
  fileprivate var isPrivacyIndexed: Bool?

  private init(
    _ table: String, in days: (first: Day?, last: Day?), of recording: RecordingID?,
    includesPrivate: Bool, page: (limit: Int?, offset: Int)
  ) {
    self.includesPrivate = includesPrivate
    list = RecordList(table, by: "date", from: days.first, through: days.last)
    if let recording { list.filter("recordingId = ?", .text(recording.uuidString)) }
    (limit, offset) = page
  }
}

extension FaithQuery<JournalEntry> {
  /// Makes a query, by default for all entries that are not private.
  ///
  /// Tags and moods are found in any case. The search is for a text that the title, the content or
  /// a tag contains, in any case and with or without accents.
  public init(
    from first: Day? = nil, through last: Day? = nil, tag: String? = nil, mood: String? = nil,
    search: String? = nil, recording: RecordingID? = nil, hasVoiceNote: Bool = false,
    includesPrivate: Bool = false, limit: Int? = nil, offset: Int = 0
  ) {
    self.init(
      "journalEntry", in: (first, last), of: recording, includesPrivate: includesPrivate,
      page: (limit, offset))
    self.tag = tag.map { ($0, "entryTag") }
    if let mood { list.filter(mood: mood) }
    if let search = search?.nonBlank { list.filter(search: search) }
    if hasVoiceNote, recording == nil { list.filterRarely("recordingId IS NOT NULL") }
    // The index with the text begins with `isPrivate`.
    isPrivacyIndexed = search?.nonBlank != nil
  }
}

extension FaithQuery<PrayerRequest> {
  /// Makes a query, by default for all prayers that are not private.
  ///
  /// The days are those on which they were first prayed. A tag is found in any case. The search is
  /// for a text that the title, the details, the answer's notes or a tag contains, in any case and
  /// with or without accents.
  public init(
    status: PrayerStatus? = nil, from first: Day? = nil, through last: Day? = nil,
    tag: String? = nil, search: String? = nil, recording: RecordingID? = nil,
    includesPrivate: Bool = false, limit: Int? = nil, offset: Int = 0
  ) {
    self.init(
      "prayer", in: (first, last), of: recording, includesPrivate: includesPrivate,
      page: (limit, offset))
    self.tag = tag.map { ($0, "prayerTag") }
    if let status { list.filter("status = ?", .text(status.rawValue)) }
    if let search = search?.nonBlank { list.filter(search: search) }
    // The index by status has `isPrivate` before the date.
    isPrivacyIndexed = status != nil
  }
}

extension FaithQuery<MoodEntry> {
  /// Makes a query, by default for all moods. A mood is found in any case.
  public init(
    from first: Day? = nil, through last: Day? = nil, mood: String? = nil,
    recording: RecordingID? = nil, limit: Int? = nil, offset: Int = 0
  ) {
    self.init(
      "moodEntry", in: (first, last), of: recording, includesPrivate: true, page: (limit, offset))
    if let mood { list.filter(mood: mood) }
  }
}

extension FaithJournal {
  /// Returns the entries that match a query, newest first.
  public func entries(matching query: FaithQuery<JournalEntry> = .init()) throws -> [JournalEntry] {
    try records(matching: query)
  }

  /// Returns the prayers that match a query, newest first.
  public func prayers(
    matching query: FaithQuery<PrayerRequest> = .init()
  ) throws -> [PrayerRequest] {
    try records(matching: query)
  }

  /// Returns the moods that match a query, newest first. The moods of entries are not among them.
  public func moods(matching query: FaithQuery<MoodEntry> = .init()) throws -> [MoodEntry] {
    try records(matching: query)
  }

  /// Returns the records that match a query, newest first.
  private func records<Record>(matching query: FaithQuery<Record>) throws -> [Record] {
    try library.read { db in
      try db.requireEnabled(Record.self)
      var list = query.list
      if let tag = query.tag { try list.filter(tag: tag.text, in: tag.table, db) }
      if let isIndexed = query.isPrivacyIndexed {
        list.filter(private: query.includesPrivate, isIndexed: isIndexed)
      }
      return try db.records(Record.self, of: list, limit: query.limit, offset: query.offset)
    }
  }
}

/// Lists of the journal's records.
extension RecordList {
  /// The day of a row by its own time zone, in SQL.
  static let ownDay = ownDay("date")

  /// Makes a list of all rows, the largest value of a column first.
  init(_ table: String, last column: String) {
    self.init(table, by: [Term(column, isDescending: true)])
  }

  /// Makes a list of a session's rows, in the order of a column.
  init(_ table: String, of session: UUID, by column: String) {
    self.init(table, by: [Term(column)])
    filter("sessionId = ?", .text(session.uuidString))
  }

  /// Keeps only rows with a mood, in any case.
  mutating func filter(mood: String) {
    filter("foldedMood = ?", .text(mood.trimmed.foldedCase))
  }

  /// Keeps only rows that are not private, unless private ones are included.
  ///
  /// - Parameter isIndexed: Whether the list's index has `isPrivate` before the columns of the
  ///   order.
  mutating func filter(private includesPrivate: Bool, isIndexed: Bool) {
    if !includesPrivate {
      filter("isPrivate = 0")
    } else if isIndexed {
      filter("isPrivate IN (0, 1)")
    }
  }

  /// Keeps only rows whose text contains a term.
  mutating func filter(search term: String) {
    filterRarely("instr(searchText, ?) > 0", .text(term.foldedLine))
  }

  /// Keeps only rows with a tag, in any case.
  ///
  /// The rows with a rare tag are sorted. For a common tag, rows are read in the list's order until
  /// enough have it.
  mutating func filter(tag: String, in tags: String, _ db: any RecordDatabase) throws {
    let tag = SQLValue.text(tag.trimmed.foldedCase)
    let isCommon = try !db.rows(
      "SELECT 1 FROM \(tags) WHERE foldedTag = ? LIMIT 1 OFFSET \(Self.rarest)", [tag]
    ).isEmpty
    if isCommon {
      filterRarely(
        "EXISTS (SELECT 1 FROM \(tags) WHERE \(table)Id = \(table).id AND foldedTag = ?)", tag)
    } else {
      filter("id IN (SELECT \(table)Id FROM \(tags) WHERE foldedTag = ?)", tag)
    }
  }

  /// The most rows that are sorted for a list.
  private static let rarest = 2000
}
