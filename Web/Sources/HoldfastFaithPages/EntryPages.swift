import Foundation
import Holdfast
import HoldfastFaith
import HoldfastWeb
import Hummingbird

/// The list of entries, and their forms.
struct EntryPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    EntryForm().add(
      to: pages, host, new: "new", records: "entries", afterDeletion: EntryForm.path)
    EntryPhotoPages(host: host).add(to: pages)
    pages.get("entries") { request, _ in try await list(request.fields) }
  }

  private func list(_ fields: Form) async throws -> Response {
    let query =
      (fields["q"] ?? "").addingPercentEncoding + (fields.wantsPrivate ? "&private=1" : "")
    return try await Page.response(
      "What you wrote", tab: .home, template: Self.template, from: host
    ) { library in
      try RecordList(fields, at: "\(EntryForm.path)?q=\(query)") { limit, offset in
        try library.faith.entries(
          matching: FaithQuery(
            search: fields["q"], includesPrivate: fields.wantsPrivate, limit: limit, offset: offset)
        ).map { try RecordLine($0, in: library) }
      }
    }
  }

  private static let template = Page.template(
    RecordList.search("/faith/entries", "Search words and tags")
      + RecordList.html(
        empty:
          #"{{#isSearched}}No entries match. <a href="/faith/entries">Show all</a>{{/isSearched}}"#
          + #"{{^isSearched}}Nothing yet. A line is enough.{{/isSearched}}"#
      ) + #"""
        <p class="row"><a class="button" href="/faith/new">Write</a> \#
        <a class="button quiet" href="/faith">Faith</a></p>
        """#)
}

extension RecordLine {
  init(_ entry: JournalEntry, in library: Library) throws {
    let when = entry.date.words(in: .minutes(entry.dateOffset))
    let context = [when, entry.mood, entry.location].compactMap(\.self) + entry.tags
    self.init(
      entry.id.uuidString, entry.title,
      detail: (context + (entry.isPrivate ? ["private"] : [])).joined(separator: " · "),
      notes: entry.content.nonBlank.map { $0.count > 200 ? "\($0.prefix(200))…" : $0 },
      path: "\(EntryForm.path)/\(entry.id)", recording: entry.recordingID, sound: "voice note",
      picture: try library.faith.photos(of: entry.id).first.map(EntryPhotoPages.path))
  }
}

/// The form that writes an entry or changes it.
private struct EntryForm: RecordForm {
  static let path = "/faith/entries"
  static let titles = (new: "Write", edited: "What you wrote")

  struct Fields: Sendable {
    var prompt: String?
    var promptText: String?
    var moods = MoodSuggestions.words
    var tags: String
    var photos: [EntryPhotoPages.Shown]
  }

  func fields(of entry: JournalEntry?, _ address: Form, in library: Library) throws -> Fields {
    let prompt = entry == nil ? address.prompt : nil
    return Fields(
      prompt: prompt?.uuidString,
      promptText: try prompt.flatMap { try library.record(JournalPrompt.self, id: $0)?.prompt },
      tags: (entry?.tags ?? []).joined(separator: ", "),
      photos: try entry.map { try EntryPhotoPages.photos(of: $0, in: library) } ?? [])
  }

  func new(_ form: Form, now: Date) -> JournalEntry {
    JournalEntry(title: "", date: now, createdAt: now)
  }

  func change(_ form: Form, in library: Library) -> (inout JournalEntry) throws -> Void {
    { entry in
      entry.content = form["content"] ?? ""
      entry.title = form.title(orWordsOf: entry.content, spoken: "Voice note")
      entry.mood = form["mood"]?.trimmingCharacters(in: .whitespacesAndNewlines)
      entry.tags = form.tags
      entry.location = form["location"]
      entry.isPrivate = form["private"] != nil
    }
  }

  func add(_ entry: JournalEntry, _ form: Form, to library: Library, now: Date) throws {
    try library.faith.write(entry, promptedBy: form.prompt, now: now)
  }

  func page(after entry: JournalEntry, isNew: Bool, _ form: Form) -> String {
    if form["next"] == "photos" { return "\(Self.path)/\(entry.id)#add-photos" }
    return isNew ? "/faith?done=entry" : Self.path
  }

  private static let thenPhotos = #"""
    {{^id}}<button class="button quiet" name="next" value="photos">Save and add photos</button> \#
    {{/id}}
    """#

  static let template = Page.form(
    #"""
    {{#promptText}}<p class="lead">{{.}}</p>{{/promptText}}
    {{#recording}}{{^id}}<p role="status">Your recording is kept with what you write \#
    here.</p>{{/id}}
    <audio controls preload="none" src="/media/{{recording}}" aria-label="The voice note">\#
    </audio>{{/recording}}
    {{^empty(photos)}}\#(EntryPhotoPages.list){{/empty(photos)}}
    {{^recording}}{{^id}}<p><a class="button quiet" \#
    href="/record?kind=audio&amp;then=/faith/new">Say it instead</a></p>{{/id}}{{/recording}}
    <form method="post" action="{{action}}" class="form">{{#prompt}}\#
    <input type="hidden" name="prompt" value="{{.}}">{{/prompt}}
    <label for="content">Your words</label>\#
    <textarea id="content" name="content" rows="8" maxlength="100000">{{record.content}}</textarea>
    <label for="title">Title</label>\#
    <input id="title" name="title" value="{{record.title}}" maxlength="200" \#
    aria-describedby="title-hint">
    <p class="hint" id="title-hint">Left empty, it is the first words of what you write.</p>
    <details{{#isOpen}} open{{/isOpen}}><summary>More details (optional)</summary>
    <label for="mood">Mood</label>\#
    <input id="mood" name="mood" value="{{record.mood}}" maxlength="40" list="moods">\#
    <datalist id="moods">{{#moods}}<option>{{.}}</option>{{/moods}}</datalist>
    \#(FaithFields.tags)
    <label for="location">Where</label>\#
    <input id="location" name="location" value="{{record.location}}" maxlength="200">
    \#(MomentField.html)\#(RecordingField.html())\#(FaithFields.privacy)</details>
    \#(Page.submit(other: Self.thenPhotos, cancel: "/faith"))
    {{#id}}\#(EntryPhotoPages.adding){{/id}}
    {{#id}}\#(Page.deletion("Delete this entry")){{/id}}
    """#)
}

extension Form {
  /// The prompt that the entry answers.
  fileprivate var prompt: UUID? { self["prompt"].flatMap(UUID.init(uuidString:)) }
}
