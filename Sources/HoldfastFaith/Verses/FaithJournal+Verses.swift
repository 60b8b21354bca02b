public import Foundation
public import Holdfast

extension FaithJournal {
  /// Returns the verse of a day; `nil` if it has none.
  public func verse(of day: Day) throws -> BibleVerseOfTheDay? {
    try library.read { db in try db.verse(of: day) }
  }

  /// Returns verses of days, newest first. Without a day, the period has no limit on that side.
  public func verses(
    from first: Day? = nil, through last: Day? = nil, limit: Int? = nil, offset: Int = 0
  ) throws -> [BibleVerseOfTheDay] {
    var list = RecordList("verseOfDay", last: "day")
    if let first { list.filter("day >= ?", .text(first.description)) }
    if let last { list.filter("day <= ?", .text(last.description)) }
    return try page(list, limit: limit, offset: offset)
  }

  /// Returns whether there is a bookmark of this reference and translation, in any case.
  public func isBookmarked(_ verse: BibleVerseOfTheDay) throws -> Bool {
    try bookmark(of: verse) != nil
  }

  /// Returns the bookmark of a day's verse; `nil` if it has none.
  public func bookmark(of verse: BibleVerseOfTheDay) throws -> BookmarkedVerse? {
    try library.read { db in try db.bookmark(of: verse.reference, verse.translation) }
  }

  /// Bookmarks the verse of a day. The bookmark keeps its words.
  ///
  /// - Throws: `HoldfastError` when the verse does not exist, or is bookmarked already.
  @discardableResult
  public func bookmark(
    verse id: UUID, notes: String? = nil, now: Date = Date()
  ) throws -> BookmarkedVerse {
    try library.write { db in
      let verse = try db.existing(BibleVerseOfTheDay.self, id)
      let bookmark = BookmarkedVerse(
        reference: verse.reference, text: verse.text, translation: verse.translation,
        notes: notes, createdAt: now)
      try db.add(bookmark, now: now)
      return bookmark
    }
  }

  /// Removes the bookmark of a day's verse.
  ///
  /// - Throws: `HoldfastError` when the verse does not exist, or is not bookmarked.
  public func unbookmark(verse id: UUID) throws {
    try library.write { db in
      let verse = try db.existing(BibleVerseOfTheDay.self, id)
      guard let bookmark = try db.bookmark(of: verse.reference, verse.translation) else {
        throw RuleError("\(verse.reference.escapedForDisplay) is not bookmarked")
      }
      try db.delete(BookmarkedVerse.self, id: bookmark.id)
    }
  }

  /// Returns bookmarks, newest first.
  public func bookmarks(limit: Int? = nil, offset: Int = 0) throws -> [BookmarkedVerse] {
    try page(RecordList("bookmarkedVerse", last: "createdAt"), limit: limit, offset: offset)
  }
}

extension RecordDatabase {
  func verse(of day: Day) throws -> BibleVerseOfTheDay? {
    try records(
      BibleVerseOfTheDay.self, clause: "WHERE day = ?", arguments: [.text(day.description)]
    ).first
  }

  func bookmark(of reference: String, _ translation: String) throws -> BookmarkedVerse? {
    try records(
      BookmarkedVerse.self, clause: "WHERE foldedReference = ? AND foldedTranslation = ?",
      arguments: [.text(reference.trimmed.foldedCase), .text(translation.trimmed.foldedCase)]
    ).first
  }
}
