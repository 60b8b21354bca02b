internal import ArgumentParser
internal import Foundation
internal import Holdfast
package import HoldfastConsole
package import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith verse bookmark`
struct VerseBookmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bookmark", abstract: "Bookmark the verse of a day.",
    discussion: "holdfast faith bookmark add bookmarks any other verse.")

  @OptionGroup var record: RecordArgument<BibleVerseOfTheDay>
  @OptionGroup var notes: NotesOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "bookmarked") { library, verse in
      try library.faith.bookmark(verse: verse.id, notes: notes.notes)
    }
  }
}

/// `holdfast faith verse unbookmark`
struct VerseUnbookmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unbookmark", abstract: "Take the bookmark of a day's verse away.",
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

/// `holdfast faith bookmark`
struct BookmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bookmark", abstract: "Keep bookmarked verses, with your notes.",
    subcommands: [
      BookmarkAddCommand.self, BookmarkListCommand.self,
      RecordShowCommand<BookmarkedVerse>.self, BookmarkEditCommand.self,
      RecordDeleteCommand<BookmarkedVerse>.self,
    ])
}

/// `holdfast faith bookmark add`
struct BookmarkAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Bookmark a verse.")

  @OptionGroup var options: VerseOptions
  @OptionGroup var notes: NotesOption
  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try bookmark(now: Date()).validate() } }

  func run() throws {
    try common.add(bookmark(now: Date()), "bookmarked") { try $0.add($1) }
  }

  private func bookmark(now: Date) throws -> BookmarkedVerse {
    let (reference, text) = try options.whole()
    return BookmarkedVerse(
      reference: reference, text: text, translation: options.translation ?? "", notes: notes.notes,
      createdAt: now)
  }
}

/// `holdfast faith bookmark edit`
struct BookmarkEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a bookmark; only what you name changes.")

  @OptionGroup var record: RecordArgument<BookmarkedVerse>
  @OptionGroup var options: VerseOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What you write about it; an empty text removes it.", valueName: "text"))
  var notes: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    try requireChange(
      options.isGiven || notes != nil, "--reference, --text, --translation or --notes")
  }

  func run() throws {
    try common.update(record, "changed") { library, before in
      try library.faith.edit(bookmark: before.id) { bookmark in
        if let reference = options.reference { bookmark.reference = reference }
        if let text = options.text { bookmark.text = text }
        if let translation = options.translation { bookmark.translation = translation }
        if let notes { bookmark.notes = notes.nonBlank }
      }
    }
  }
}

/// `holdfast faith bookmark list`
struct BookmarkListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List bookmarks, newest first.")

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.list(page) { try $0.faith.bookmarks(limit: $1, offset: page.offset) }
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
