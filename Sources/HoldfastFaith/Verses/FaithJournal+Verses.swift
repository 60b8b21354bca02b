public import Foundation
public import Holdfast

extension FaithJournal {
  /// Adds the verse of a day.
  ///
  /// - Throws: `LibraryError` when a value breaks a rule, and when the day has a verse already.
  public func add(_ verse: BibleVerseOfTheDay) throws {
    try library.write { db in try db.add(verse) }
  }

  /// Returns the verse of a day; `nil` if it has none.
  public func verse(of day: Day) throws -> BibleVerseOfTheDay? {
    try library.read { db in try db.verse(of: day) }
  }

  /// Returns verses of days, newest first.
  ///
  /// - Parameters:
  ///   - first: The first day; `nil` for no limit.
  ///   - last: The last day; `nil` for no limit.
  ///   - limit: The most verses to return.
  ///   - offset: How many to skip first.
  public func verses(
    from first: Day? = nil, through last: Day? = nil, limit: Int? = nil, offset: Int = 0
  ) throws -> [BibleVerseOfTheDay] {
    try page(
      "WHERE day BETWEEN ? AND ? ORDER BY day DESC, id",
      [.text(first?.description ?? ""), .text(last?.description ?? "~")], limit: limit,
      offset: offset)
  }

  /// Returns whether there is a bookmark of this reference and translation, in any case.
  public func isBookmarked(_ verse: BibleVerseOfTheDay) throws -> Bool {
    try bookmark(of: verse) != nil
  }

  /// Returns the bookmark of a day's verse; `nil` if it has none.
  public func bookmark(of verse: BibleVerseOfTheDay) throws -> BookmarkedVerse? {
    try library.read { db in try db.bookmark(of: verse.reference, verse.translation) }
  }

  /// Changes a bookmark.
  ///
  /// - Throws: `LibraryError` when a value breaks a rule, when there is another bookmark of the same
  ///   reference and translation, and when there is no such bookmark.
  @discardableResult
  public func edit(
    bookmark id: UUID, now: Date = Date(), _ change: (inout BookmarkedVerse) throws -> Void
  ) throws -> BookmarkedVerse {
    try library.write { db in
      try db.edit(BookmarkedVerse.self, id: id, now: now) { bookmark in
        try change(&bookmark)
        if let other = try db.bookmark(of: bookmark.reference, bookmark.translation),
          other.id != id
        {
          throw bookmark.isThere
        }
      }
    }
  }

  /// Bookmarks the verse of a day. The bookmark keeps its words.
  ///
  /// - Throws: `LibraryError` when there is no such verse, and when it is bookmarked already.
  @discardableResult
  public func bookmark(
    verse id: UUID, notes: String? = nil, now: Date = Date()
  ) throws -> BookmarkedVerse {
    try library.write { db in
      let verse = try db.existing(BibleVerseOfTheDay.self, id)
      let bookmark = BookmarkedVerse(
        reference: verse.reference, text: verse.text, translation: verse.translation,
        notes: notes, createdAt: now)
      try db.add(bookmark)
      return bookmark
    }
  }

  /// Removes the bookmark of a day's verse.
  ///
  /// - Throws: `LibraryError` when there is no such verse, and when it is not bookmarked.
  public func unbookmark(verse id: UUID) throws {
    try library.write { db in
      let verse = try db.existing(BibleVerseOfTheDay.self, id)
      guard let bookmark = try db.bookmark(of: verse.reference, verse.translation) else {
        throw RuleError("\(verse.reference.escapedForDisplay) is not bookmarked")
      }
      try db.delete(BookmarkedVerse.self, id: bookmark.id)
    }
  }

  /// Adds a bookmark.
  ///
  /// - Throws: `LibraryError` when a value breaks a rule, and when there is one of the same reference
  ///   and translation.
  public func add(_ bookmark: BookmarkedVerse) throws {
    try library.write { db in try db.add(bookmark) }
  }

  /// Returns bookmarks, newest first.
  public func bookmarks(limit: Int? = nil, offset: Int = 0) throws -> [BookmarkedVerse] {
    try page("ORDER BY createdAt DESC, id", limit: limit, offset: offset)
  }
}

extension BookmarkedVerse {
  /// The error that there is a bookmark of this reference and translation.
  fileprivate var isThere: RuleError {
    RuleError("\(reference.escapedForDisplay) is bookmarked already in this translation")
  }
}

extension RecordDatabase {
  func verse(of day: Day) throws -> BibleVerseOfTheDay? {
    try records(BibleVerseOfTheDay.self, "WHERE day = ?", [.text(day.description)]).first
  }

  func bookmark(of reference: String, _ translation: String) throws -> BookmarkedVerse? {
    try records(
      BookmarkedVerse.self, "WHERE foldedReference = ? AND foldedTranslation = ?",
      [.text(reference.trimmed.foldedCase), .text(translation.trimmed.foldedCase)]
    ).first
  }

  /// Adds the verse of a day, if the day has none.
  public func add(_ verse: BibleVerseOfTheDay) throws {
    try verse.validate()
    if let other = try self.verse(of: verse.date) {
      throw RuleError(
        "\(verse.date) has a verse already, "
          + "\(other.reference.escapedForDisplay); delete it first, or choose another day")
    }
    try insert(verse)
  }

  /// Adds a bookmark, if there is none of the same reference and translation.
  public func add(_ bookmark: BookmarkedVerse) throws {
    try bookmark.validate()
    guard try self.bookmark(of: bookmark.reference, bookmark.translation) == nil else {
      throw bookmark.isThere
    }
    try insert(bookmark)
  }
}
