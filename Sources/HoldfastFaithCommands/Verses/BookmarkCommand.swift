import ArgumentParser
import Foundation
import Holdfast
package import HoldfastConsole
package import HoldfastFaith

struct BookmarkVerse: RecordAction {
  static let verb = RecordVerb(
    "bookmark", done: "bookmarked", abstract: "Bookmark the verse of a day.",
    discussion: "holdfast faith bookmark add bookmarks any other verse.")

  @OptionGroup var notes: NotesOption

  func apply(to verse: BibleVerseOfTheDay, in library: Library) throws -> BookmarkedVerse {
    try library.faith.bookmark(verse: verse.id, notes: notes.notes)
  }
}

struct VerseUnbookmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unbookmark", abstract: "Remove the bookmark of a day's verse.",
    discussion: "If you wrote about it, it asks first.")

  @OptionGroup var record: RecordArgument<BibleVerseOfTheDay>

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let known = try common.openLibrary(for: .reading, BibleVerseOfTheDay.self)
    let verse = try record.record(in: known)
    if !yes, let notes = try known.faith.bookmark(of: verse)?.notes {
      common.console.error("\(verse.id.short)  \(notes.cut(to: 300).escapedForDisplay)")
      try Question("Remove these notes for good? [y/N] ", instead: "--yes").confirm()
    }
    let library = try common.openLibrary(for: .writing, BibleVerseOfTheDay.self)
    try library.faith.unbookmark(verse: verse.id)
    try common.console.show(verse, "unbookmarked")
    guard common.console.compact(library) else { throw ExitCode.someFailed }
  }
}

struct BookmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bookmark", abstract: "Keep bookmarked verses, with your notes.",
    subcommands: [
      RecordAddCommand<NewBookmark>.self, RecordListCommand<BookmarkList>.self,
      RecordShowCommand<BookmarkedVerse>.self, RecordEditCommand<BookmarkEdit>.self,
      RecordDeleteCommand<BookmarkedVerse>.self,
    ])
}

struct NewBookmark: NewRecord {
  static let verb = RecordVerb("add", done: "bookmarked", abstract: "Bookmark a verse.")

  @OptionGroup var options: VerseOptions
  @OptionGroup var notes: NotesOption

  func record(now: Date) throws -> BookmarkedVerse {
    let (reference, text) = try options.whole()
    return BookmarkedVerse(
      reference: reference, text: text, translation: options.translation ?? "", notes: notes.notes,
      createdAt: now)
  }
}

struct BookmarkEdit: RecordEdit {
  static let verb = RecordVerb.edit("Change a bookmark; only what you name changes.")
  static let options = "--reference, --text, --translation or --notes"

  @OptionGroup var options: VerseOptions
  @OptionGroup var notes: OtherNotesOption

  var changes: [Change<BookmarkedVerse>?] {
    options.changes(\.reference, text: \.text, translation: \.translation) + [
      .text(\.notes, notes.notes)
    ]
  }
}

struct BookmarkList: RecordFilter {
  static let verb = RecordVerb.list("List bookmarks, newest first.")

  func records(in library: Library, limit: Int, offset: Int) throws -> [BookmarkedVerse] {
    try library.faith.bookmarks(limit: limit, offset: offset)
  }
}

extension BookmarkedVerse: FaithRecord {
  package var line: String {
    let place = [reference, translation.nonBlank.map { "(\($0))" }].compactMap(\.self)
    return "\(place.joined(separator: " ")): \(text)"
  }

  package static var columns: [RecordColumn<Self>] { [.init("VERSE", \.line)] }

  package var facts: [(name: String, value: String?)] {
    [
      ("reference", reference), ("text", text), ("translation", translation.nonBlank),
      ("notes", notes),
    ]
  }
}
