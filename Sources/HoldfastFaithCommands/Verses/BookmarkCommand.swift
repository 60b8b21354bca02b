internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith verse bookmark`
struct VerseBookmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bookmark", abstract: "Bookmark the verse of a day.",
    discussion: "holdfast faith bookmark add bookmarks any other verse.")

  @OptionGroup var record: RecordArgument

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What you write about it, at most 5000 characters.", valueName: "text"))
  var notes: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let verse = try faith.record(BibleVerseOfTheDay.self, idPrefix: record.id)
    try common.console.show(faith.bookmark(verse: verse.id, notes: notes), "bookmarked")
  }
}

/// `holdfast faith verse unbookmark`
struct VerseUnbookmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unbookmark", abstract: "Take the bookmark of a day's verse away.",
    discussion: "If you wrote about it, it asks first.")

  @OptionGroup var record: RecordArgument

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let known = try common.openLibrary(for: .reading, .faith).faith
    let verse = try known.record(BibleVerseOfTheDay.self, idPrefix: record.id)
    if !yes, let notes = try known.bookmark(of: verse)?.notes {
      common.console.error("\(verse.id.short)  \(notes.cut(to: 300).escapedForDisplay)")
      try Question("Remove these notes for good? [y/N] ", instead: "--yes").confirm()
    }
    let library = try common.openLibrary(for: .writing, .faith)
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

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What you write about it, at most 5000 characters.", valueName: "text"))
  var notes: String?

  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try bookmark(now: Date()).validate() } }

  func run() throws {
    let bookmark = try bookmark(now: Date())
    try common.openLibrary(for: .writing, .faith).faith.add(bookmark)
    try common.console.show(bookmark, "bookmarked")
  }

  private func bookmark(now: Date) throws -> BookmarkedVerse {
    let (reference, text) = try options.whole()
    return BookmarkedVerse(
      reference: reference, text: text, translation: options.translation ?? "", notes: notes,
      createdAt: now)
  }
}

/// `holdfast faith bookmark edit`
struct BookmarkEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a bookmark; only what you name changes.")

  @OptionGroup var record: RecordArgument
  @OptionGroup var options: VerseOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What you write about it; an empty text removes it.", valueName: "text"))
  var notes: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if !options.isGiven, notes == nil {
      throw ValidationError("Name what to change: --reference, --text, --translation or --notes.")
    }
  }

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let before = try faith.record(BookmarkedVerse.self, idPrefix: record.id)
    let bookmark = try faith.edit(bookmark: before.id) { bookmark in
      if let reference = options.reference { bookmark.reference = reference }
      if let text = options.text { bookmark.text = text }
      if let translation = options.translation { bookmark.translation = translation }
      if let notes { bookmark.notes = notes.nonBlank }
    }
    try common.console.show(bookmark, "changed")
  }
}

/// `holdfast faith bookmark list`
struct BookmarkListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List bookmarks, newest first.")

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .reading, .faith).faith
    try common.console.page(page) { limit in
      try faith.bookmarks(limit: limit, offset: page.offset)
    }
  }
}

extension BookmarkedVerse: ShownRecord {
  var line: String {
    let place = [reference, translation.nonBlank.map { "(\($0))" }].compactMap(\.self)
    return "\(place.joined(separator: " ")): \(text)"
  }

  static let heading = "VERSE"
  static let columns: [TextTable.Column] = []
  var cells: [String] { [] }

  var facts: [(name: String, value: String?)] {
    [
      ("reference", reference), ("text", text), ("translation", translation.nonBlank),
      ("notes", notes),
    ]
  }
}
