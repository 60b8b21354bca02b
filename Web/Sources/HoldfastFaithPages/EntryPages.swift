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
      to: pages, host, new: "new", records: "entries", afterDeletion: EntryForm.path,
      hasPhotos: true)
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
        <p class="row"><a class="button" href="/faith/new">Write</a></p>
        """#)
}

extension RecordLine {
  init(_ entry: JournalEntry, in library: Library) throws {
    self.init(
      entry.id.uuidString, entry.title, detail: entry.about,
      notes: entry.textBelowTitle.map { $0.count > 200 ? "\($0.prefix(200))…" : $0 },
      path: "\(EntryForm.path)/\(entry.id)", recording: entry.recordingID, sound: "voice note",
      picture: try library.faith.photos(of: entry.id).first.map(EntryPhotoPages.path))
  }
}

extension JournalEntry {
  /// When and where it was written, its mood and its tags, as one line.
  fileprivate var about: String {
    let context = [date.words(in: .minutes(dateOffset)), mood, location].compactMap(\.self) + tags
    return (context + (isPrivate ? ["private"] : [])).joined(separator: " · ")
  }

  /// The title, unless it is the first words of the text.
  fileprivate var ownTitle: String? { title == content.firstWords ? nil : title }

  /// The text, without the words that are the title.
  fileprivate var textBelowTitle: String? {
    guard ownTitle == nil else { return content.nonBlank }
    let text = content.trimmingCharacters(in: .whitespacesAndNewlines)
    let shown = [title, String(title.dropLast())].first { text.hasPrefix($0) } ?? ""
    return text.dropFirst(shown.count).trimmingCharacters(in: .whitespacesAndNewlines).nonBlank
  }
}

/// The page of an entry, and the form that writes it or changes it.
private struct EntryForm: RecordForm {
  static let path = "/faith/entries"
  static let titles = (new: "Write", edited: "What you wrote")

  struct Fields: Sendable {
    var prompt: String?
    var promptText: String?
    var moods = MoodSuggestions.words
    var tags: String
    /// What is shown of an entry above its form.
    var title: String?
    var about: String?
    var words: String?
    var photos: [EntryPhotoPages.Shown]
    /// The names of photos that the entry has only as text.
    var missing: [String]
    var isEditing: Bool
  }

  func fields(of entry: JournalEntry?, _ address: Form, in library: Library) throws -> Fields {
    let prompt = entry == nil ? address.prompt : nil
    return Fields(
      prompt: prompt?.uuidString,
      promptText: try prompt.flatMap { try library.record(JournalPrompt.self, id: $0)?.prompt },
      tags: (entry?.tags ?? []).joined(separator: ", "),
      title: entry?.ownTitle, about: entry?.about, words: entry?.content.nonBlank,
      photos: try entry.map { try EntryPhotoPages.photos(of: $0, in: library) } ?? [],
      missing: (entry?.photoURLs ?? []).map {
        $0.split(separator: "/").last.map(String.init) ?? $0
      }, isEditing: address["edit"] != nil || address["all"] != nil)
  }

  func new(_ form: Form, now: Date) -> JournalEntry {
    JournalEntry(title: "", date: now, createdAt: now)
  }

  func change(_ form: Form, in library: Library) throws -> (inout JournalEntry) throws -> Void {
    let content = form["content"] ?? ""
    var title = form.title(orWordsOf: content, spoken: "Voice note")
    if title.isEmpty {
      // Without words, nothing is left to save.
      if let refusal = form.refusal { throw refusal }
      if form.photos != nil { title = "Photo" }
    }
    return { [title] entry in
      entry.content = content
      entry.title = title
      entry.mood = form["mood"]?.trimmingCharacters(in: .whitespacesAndNewlines)
      entry.tags = form.tags
      entry.location = form["location"]
      entry.isPrivate = form["private"] != nil
    }
  }

  func add(_ entry: JournalEntry, _ form: Form, to library: Library, now: Date) throws {
    guard let photos = form.photos else {
      return try library.faith.write(entry, promptedBy: form.prompt, now: now)
    }
    try library.write(publishing: photos) { db in
      try db.write(entry, promptedBy: form.prompt, now: now)
      try db.insert(photos, of: entry.id, now: now)
    }
  }

  func edit(
    _ id: UUID, _ form: Form, in library: Library, _ change: (inout JournalEntry) throws -> Void
  ) throws -> JournalEntry {
    guard let photos = form.photos else {
      return try library.edit(JournalEntry.self, id: id, change)
    }
    let now = Date()
    let edited = try library.write(publishing: photos) { db in
      let edited = try db.edit(JournalEntry.self, id: id, now: now, change)
      try db.insert(photos, of: id, now: now)
      return edited
    }
    return try edited ?? record(id, in: library)
  }

  func page(after entry: JournalEntry, isNew: Bool, _ form: Form) -> String {
    let page = "\(Self.path)/\(entry.id)"
    if form.refusal != nil { return "\(page)?edit=1#add-photos" }
    return isNew ? "/faith?done=entry" : page
  }

  static let template = Page.form(
    #"""
    {{#promptText}}<p class="lead">{{.}}</p>{{/promptText}}
    {{#title}}<h2>{{.}}</h2>{{/title}}{{#about}}<p class="detail">{{.}}</p>{{/about}}
    {{#words}}<p class="notes lead">{{.}}</p>{{/words}}
    {{#recording}}{{^id}}<p role="status">Your recording is kept with what you write \#
    here.</p>{{/id}}
    <audio controls preload="none" src="/media/{{recording}}" aria-label="The voice note">\#
    </audio>{{/recording}}
    {{^empty(photos)}}\#(EntryPhotoPages.list){{/empty(photos)}}
    {{#missing}}<p class="hint">A photo from the app is not here: {{.}}</p>{{/missing}}
    {{^recording}}{{^id}}<p><a class="button quiet" \#
    href="/record?kind=audio&amp;then=/faith/new">Say it instead</a></p>{{/id}}{{/recording}}
    {{#id}}<details{{#isEditing}} open{{/isEditing}}><summary>Edit, or add photos</summary>{{/id}}
    <form method="post" action="{{action}}" enctype="multipart/form-data" class="form">\#
    {{#prompt}}\#
    <input type="hidden" name="prompt" value="{{.}}">{{/prompt}}
    <label for="content">Your words</label>\#
    <textarea id="content" name="content" rows="8" maxlength="100000">{{record.content}}</textarea>
    <label for="title">Title</label>\#
    <input id="title" name="title" value="{{title}}" maxlength="200" \#
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
    \#(Page.submit(files: EntryPhotoPages.adding, cancel: "/faith"))
    {{#id}}</details>\#(Page.deletion("Delete this entry")){{/id}}
    """#)
}

extension Form {
  /// The prompt that the entry answers.
  fileprivate var prompt: UUID? { self["prompt"].flatMap(UUID.init(uuidString:)) }
}
