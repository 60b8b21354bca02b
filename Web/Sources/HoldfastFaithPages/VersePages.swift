internal import Foundation
internal import Holdfast
internal import HoldfastFaith
internal import HoldfastWeb
internal import Hummingbird
internal import Mustache

/// A verse on a page.
struct ShownVerse: Sendable {
  let html: String

  private struct Values {
    var id: String
    var reference: String
    var translation: String?
    var text: String
    var day: String
    var isBookmarked: Bool
    var back: String
  }

  /// - Parameter back: The page to which its button leads back.
  init(_ verse: BibleVerseOfTheDay, in faith: FaithJournal, back: String) throws {
    html = Self.template.render(
      Values(
        id: verse.id.uuidString, reference: verse.reference,
        translation: verse.translation.nonBlank, text: verse.text, day: verse.date.description,
        isBookmarked: try faith.isBookmarked(verse), back: back))
  }

  private static let template = Page.template(
    #"""
    <div class="card message"><p>{{text}}</p><p class="detail">{{reference}}{{#translation}}, {{.}}{{/translation}}</p>
    <form method="post" action="/faith/verses/{{id}}/{{#isBookmarked}}unbookmark{{/isBookmarked}}{{^isBookmarked}}bookmark{{/isBookmarked}}"><input type="hidden" name="back" value="{{back}}">
    <button class="link">{{#isBookmarked}}Remove the bookmark{{/isBookmarked}}{{^isBookmarked}}Bookmark{{/isBookmarked}}<span class="hidden"> of {{reference}}</span></button></form></div>
    """#)
}

/// One verse for each day, and bookmarks.
struct VersePages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("verses") { _, _ in try await show() }
    pages.post("verses") { request, context in
      let form = try await Form(request, context)
      try await host.write { library in
        try library.faith.add(
          BibleVerseOfTheDay(
            reference: form["reference"] ?? "", text: form["text"] ?? "",
            translation: form["translation"] ?? "",
            date: try form["day"].map { try Day($0) } ?? Day(),
            createdAt: Date()))
      }
      return Page.redirect(to: "/faith/verses")
    }
    pages.post("verses/:id/bookmark") { request, context in
      let (id, form) = (try context.id("id"), try await Form(request, context))
      try await host.write { library in _ = try library.faith.bookmark(verse: id) }
      return Page.redirect(to: form.back)
    }
    pages.post("verses/:id/unbookmark") { request, context in
      let (id, form) = (try context.id("id"), try await Form(request, context))
      try await host.delete { library in try library.faith.unbookmark(verse: id) }
      return Page.redirect(to: form.back)
    }
    pages.post("verses/:id/delete") { _, context in
      let id = try context.id("id")
      try await host.delete { try $0.faith.delete(BibleVerseOfTheDay.self, id: id) }
      return Page.redirect(to: "/faith/verses")
    }
    pages.post("bookmarks/:id/delete") { _, context in
      let id = try context.id("id")
      try await host.delete { try $0.faith.delete(BookmarkedVerse.self, id: id) }
      return Page.redirect(to: "/faith/verses")
    }
  }

  private struct Item: Sendable {
    var id: String
    var reference: String
    var detail: String
    var text: String
  }

  private struct Values: Sendable {
    var today: String
    var verse: ShownVerse?
    var day: String
    var verses: [Item]
    var hasVerses: Bool
    var bookmarks: [Item]
    var hasBookmarks: Bool
  }

  private func show() async throws -> Response {
    let values = try await host.read { library in
      let (faith, today) = (library.faith, Day())
      let verse = try faith.verse(of: today)
      let verses = try faith.verses(limit: 30).filter { $0.id != verse?.id }
      let bookmarks = try faith.bookmarks(limit: 50)
      return Values(
        today: today.description,
        verse: try verse.map { try ShownVerse($0, in: faith, back: "/faith/verses") },
        day: today.adding(days: verse == nil ? 0 : 1).description,
        verses: verses.map {
          Item(
            id: $0.id.uuidString, reference: $0.reference,
            detail: Self.detail($0.date.description, $0.translation), text: $0.text)
        }, hasVerses: !verses.isEmpty,
        bookmarks: bookmarks.map {
          Item(
            id: $0.id.uuidString, reference: $0.reference,
            detail: Self.detail($0.notes, $0.translation), text: $0.text)
        }, hasBookmarks: !bookmarks.isEmpty)
    }
    return Page("Verses", .home, Self.template, values).response
  }

  private static func detail(_ parts: String?...) -> String {
    parts.compactMap { $0?.nonBlank }.joined(separator: " · ")
  }

  private static let template = Page.template(
    #"""
    {{#verse}}<section><h2>Today</h2>{{{html}}}</section>{{/verse}}
    {{^verse}}<p>Today has no verse yet. Nothing is fetched from anywhere: choose your own.</p>{{/verse}}
    <details{{^verse}} open{{/verse}}><summary>Add the verse of a day</summary><form method="post" action="/faith/verses" class="form">
    <label for="text">Its words</label><textarea id="text" name="text" rows="3" maxlength="5000" required></textarea>
    <label for="reference">Where it stands</label><input id="reference" name="reference" maxlength="100" placeholder="Psalm 23:1" required>
    <label for="translation">Translation</label><input id="translation" name="translation" maxlength="40">
    <label for="day">Day</label><input type="date" id="day" name="day" value="{{day}}">
    <p class="submit"><button class="button">Add it</button></p></form></details>
    {{#hasBookmarks}}<section><h2>Bookmarks</h2><ul class="entries">{{#bookmarks}}<li class="split"><p><span class="what">{{reference}}</span><span class="detail">{{detail}}</span><span class="notes">{{text}}</span></p>
    <details class="sure"><summary>Delete<span class="hidden"> the bookmark of {{reference}}</span></summary><form method="post" action="/faith/bookmarks/{{id}}/delete"><button class="button danger">Delete it</button></form></details></li>{{/bookmarks}}</ul></section>{{/hasBookmarks}}
    {{#hasVerses}}<section><h2>Other days</h2><ul class="entries">{{#verses}}<li class="split"><p><span class="what">{{reference}}</span><span class="detail">{{detail}}</span><span class="notes">{{text}}</span></p>
    <details class="sure"><summary>Delete<span class="hidden"> {{reference}}</span></summary><form method="post" action="/faith/verses/{{id}}/delete"><button class="button danger">Delete it</button></form></details></li>{{/verses}}</ul></section>{{/hasVerses}}
    <p><a class="button quiet" href="/faith">Faith</a></p>
    """#)
}
