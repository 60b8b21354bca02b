import Foundation
import Holdfast
import HoldfastFaith
import HoldfastWeb
import Hummingbird
import Mustache

/// The verse of a day, with the button of its bookmark.
enum ShownVerse {
  private struct Values {
    var verse: BibleVerseOfTheDay
    var isBookmarked: Bool
    var back: String
  }

  /// - Parameter back: The page to which the button returns.
  static func html(
    _ verse: BibleVerseOfTheDay, in faith: FaithJournal, back: String
  ) throws -> String {
    template.render(Values(verse: verse, isBookmarked: try faith.isBookmarked(verse), back: back))
  }

  private static let template = Page.template(
    #"""
    {{#verse}}<div class="card message"><p>{{text}}</p><p class="detail">{{reference}}\#
    {{^empty(translation)}}, {{translation}}{{/empty(translation)}}</p>
    <form method="post" action="/faith/verses/{{id}}/{{#isBookmarked}}unbookmark{{/isBookmarked}}\#
    {{^isBookmarked}}bookmark{{/isBookmarked}}"><input type="hidden" name="back" value="{{back}}">
    <button class="link">{{#isBookmarked}}Remove the bookmark{{/isBookmarked}}\#
    {{^isBookmarked}}Bookmark{{/isBookmarked}}\#
    <span class="hidden"> of {{reference}}</span></button></form></div>{{/verse}}
    """#)
}

/// One verse for each day, and bookmarks.
struct VersePages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("verses") { _, _ in try await show() }
    pages.form("verses", host: host) { library, form in
      try library.add(
        BibleVerseOfTheDay(
          reference: form["reference"] ?? "", text: form["text"] ?? "",
          translation: form["translation"] ?? "",
          date: try form["day"].map { try Day($0) } ?? Day(), createdAt: Date()))
      return "/faith/verses"
    }
    pages.form("verses/:id/bookmark", host: host) { library, id, form in
      _ = try library.faith.bookmark(verse: id)
      return form.back
    }
    pages.deletion("verses/:id/unbookmark", host: host, then: nil) { library, id in
      try library.faith.unbookmark(verse: id)
    }
    pages.deletion(
      of: BibleVerseOfTheDay.self, "verses/:id/delete", host: host, then: "/faith/verses")
    pages.deletion(
      of: BookmarkedVerse.self, "bookmarks/:id/delete", host: host, then: "/faith/verses")
  }

  private struct Values: Sendable {
    var verse: String?
    var day: String
    var verses: [RecordLine]
    var bookmarks: [RecordLine]
  }

  private func show() async throws -> Response {
    try await Page.response("Verses", tab: .home, template: Self.template, from: host) { library in
      let (faith, today) = (library.faith, Day())
      let verse = try faith.verse(of: today)
      let verses = try faith.verses(limit: 30).filter { $0.id != verse?.id }
      let bookmarks = try faith.bookmarks(limit: 50)
      return Values(
        verse: try verse.map { try ShownVerse.html($0, in: faith, back: "/faith/verses") },
        day: today.adding(days: verse == nil ? 0 : 1).description,
        verses: verses.map {
          RecordLine(
            $0.id.uuidString, $0.reference, detail: Self.detail($0.date.words, $0.translation),
            notes: $0.text)
        },
        bookmarks: bookmarks.map {
          RecordLine(
            $0.id.uuidString, $0.reference, detail: Self.detail($0.notes, $0.translation),
            notes: $0.text)
        })
    }
  }

  private static func detail(_ parts: String?...) -> String {
    parts.compactMap { $0?.nonBlank }.joined(separator: " · ")
  }

  private static let bookmarkDeletion = Page.deletion(
    of: "/faith/bookmarks/{{id}}", #"Delete<span class="hidden"> the bookmark of {{what}}</span>"#)

  private static let verseDeletion = Page.deletion(
    of: "/faith/verses/{{id}}", #"Delete<span class="hidden"> {{what}}</span>"#)

  private static let template = Page.template(
    #"""
    {{#verse}}<section><h2>Today</h2>{{{.}}}</section>{{/verse}}
    {{^verse}}<p>Today has no verse yet. Nothing is fetched from anywhere: choose your \#
    own.</p>{{/verse}}
    <details{{^verse}} open{{/verse}}><summary>Add the verse of a day</summary>\#
    <form method="post" action="/faith/verses" class="form">
    <label for="text">Its words</label>\#
    <textarea id="text" name="text" rows="3" maxlength="5000" required></textarea>
    <label for="reference">Where it stands</label>\#
    <input id="reference" name="reference" maxlength="100" placeholder="Psalm 23:1" required>
    <label for="translation">Translation</label>\#
    <input id="translation" name="translation" maxlength="40">
    <label for="day">Day</label><input type="date" id="day" name="day" value="{{day}}">
    <p class="submit"><button class="button">Add it</button></p></form></details>
    {{^empty(bookmarks)}}<section><h2>Bookmarks</h2>\#
    \#(RecordLine.list("bookmarks", rest: bookmarkDeletion))</section>{{/empty(bookmarks)}}
    {{^empty(verses)}}<section><h2>Other days</h2>\#
    \#(RecordLine.list("verses", rest: verseDeletion))</section>{{/empty(verses)}}
    """#)
}
