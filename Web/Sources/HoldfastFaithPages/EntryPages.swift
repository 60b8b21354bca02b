internal import Foundation
internal import Holdfast
internal import HoldfastFaith
internal import HoldfastWeb
internal import Hummingbird
internal import Mustache

/// Writing, and what was written.
struct EntryPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("new") { request, _ in try await form(for: request.fields) }
    pages.get("entries") { request, _ in try await list(request.fields) }
    pages.post("entries") { request, context in try await write(Form(request, context)) }
    pages.get("entries/:id") { _, context in try await form(editing: context.id("id")) }
    pages.post("entries/:id") { request, context in
      let (id, form) = (try context.id("id"), try await Form(request, context))
      try await host.write { library in
        _ = try library.faith.edit(JournalEntry.self, id: id) { entry in
          try form.fill(&entry)
          if let moment = try form.moment(now: Date(), offset: entry.dateOffset) {
            (entry.date, entry.dateOffset) = (moment.date.roundedToMillisecond, moment.offset)
          }
        }
      }
      return Page.redirect(to: "/faith/entries")
    }
    pages.post("entries/:id/delete") { _, context in
      let id = try context.id("id")
      try await host.delete { library in try library.faith.delete(JournalEntry.self, id: id) }
      return Page.redirect(to: "/faith/entries")
    }
  }

  // MARK: The list

  private static let pageLength = 50

  private struct ListValues: Sendable {
    var search: String
    var hasPrivate: Bool
    var isSearched: Bool
    var entries: [EntryItem]
    var isEmpty: Bool
    var next: String?
  }

  private func list(_ fields: Form) async throws -> Response {
    let (search, page) = (fields["q"], fields.page)
    let hasPrivate = fields["private"] != nil
    let found = try await host.read { library in
      try library.faith.entries(
        matching: JournalEntryQuery(
          search: search, includesPrivate: hasPrivate, limit: Self.pageLength + 1,
          offset: (page - 1) * Self.pageLength))
    }
    let more =
      "/faith/entries?q=\((search ?? "").addingPercentEncoding)\(hasPrivate ? "&private=1" : "")"
    let values = ListValues(
      search: search ?? "", hasPrivate: hasPrivate, isSearched: search != nil,
      entries: found.prefix(Self.pageLength).map(EntryItem.init), isEmpty: found.isEmpty,
      next: found.count > Self.pageLength ? "\(more)&page=\(page + 1)" : nil)
    return Page("What you wrote", .home, Self.listTemplate, values).response
  }

  private static let listTemplate = Page.template(
    #"""
    <form method="get" action="/faith/entries" class="filters" role="search"><label class="hidden" for="q">Search</label>
    <input type="search" id="q" name="q" value="{{search}}" placeholder="Search words and tags">
    <label class="check"><input type="checkbox" name="private" value="1"{{#hasPrivate}} checked{{/hasPrivate}}> Private ones too</label><button class="button quiet">Show</button></form>
    {{#isEmpty}}<p role="status">{{#isSearched}}Nothing fits. <a href="/faith/entries">Show all</a>{{/isSearched}}{{^isSearched}}Nothing yet. A line is enough.{{/isSearched}}</p>{{/isEmpty}}
    """# + EntryItem.list + #"""
      {{#next}}<p class="pages"><a href="{{.}}" rel="next">Earlier</a></p>{{/next}}
      <p class="row"><a class="button" href="/faith/new">Write</a> <a class="button quiet" href="/faith">Faith</a></p>
      """#)

  // MARK: The form

  private struct Values: Sendable {
    var id: String?
    var prompt: String?
    var promptText: String?
    var recording: String?
    var title = ""
    var content = ""
    var mood = ""
    var moods = MoodSuggestions.words
    var tags = ""
    var location = ""
    var isPrivate = false
    var when: String
    var recordings: [RecordingChoice] = []
    var isOpen = false
  }

  private func form(for fields: Form) async throws -> Response {
    let values = try await host.read { library in
      let now = Date()
      var values = Values(when: now.fieldText(offset: now.localOffset))
      if let prompt = fields["prompt"].flatMap(UUID.init(uuidString:)) {
        values.prompt = prompt.uuidString
        values.promptText = try library.record(JournalPrompt.self, id: prompt)?.prompt
      }
      let recording = try fields.recording.flatMap { try library.recording(id: $0) }
      values.recording = recording?.id.uuidString
      values.recordings = try RecordingChoice.newest(in: library, choosing: recording?.id)
      return values
    }
    return Page("Write", .home, Self.template, values).response
  }

  private func form(editing id: UUID) async throws -> Response {
    let values = try await host.read { library in
      let entry = try library.faith.record(JournalEntry.self, idPrefix: id.uuidString)
      var values = Values(when: entry.date.fieldText(offset: entry.dateOffset))
      values.id = entry.id.uuidString
      (values.title, values.content) = (entry.title, entry.content)
      (values.mood, values.location) = (entry.mood ?? "", entry.location ?? "")
      values.tags = entry.tags.joined(separator: ", ")
      values.isPrivate = entry.isPrivate
      values.recording = entry.recordingID?.uuidString
      values.recordings = try RecordingChoice.newest(in: library, choosing: entry.recordingID)
      values.isOpen = true
      return values
    }
    return Page("What you wrote", .home, Self.template, values).response
  }

  private static let template = Page.template(
    #"""
    {{#promptText}}<p class="lead">{{.}}</p>{{/promptText}}
    {{#recording}}{{^id}}<p role="status">Your recording is kept with what you write here.</p>{{/id}}
    <audio controls preload="none" src="/media/{{recording}}" aria-label="The voice note"></audio>{{/recording}}
    {{^recording}}{{^id}}<p><a class="button quiet" href="/record?kind=audio&amp;then=/faith/new">Say it instead</a></p>{{/id}}{{/recording}}
    <form method="post" action="/faith/entries{{#id}}/{{.}}{{/id}}" class="form">{{#prompt}}<input type="hidden" name="prompt" value="{{.}}">{{/prompt}}
    <label for="content">Your words</label><textarea id="content" name="content" rows="8" maxlength="100000">{{content}}</textarea>
    <label for="title">Title</label><input id="title" name="title" value="{{title}}" maxlength="200" aria-describedby="title-hint">
    <p class="hint" id="title-hint">Left empty, it is the first words of what you write.</p>
    <details{{#isOpen}} open{{/isOpen}}><summary>More, if you like</summary>
    <label for="mood">Mood</label><input id="mood" name="mood" value="{{mood}}" maxlength="40" list="moods"><datalist id="moods">{{#moods}}<option>{{.}}</option>{{/moods}}</datalist>
    <label for="tags">Tags, with commas between them</label><input id="tags" name="tags" value="{{tags}}">
    <label for="location">Where</label><input id="location" name="location" value="{{location}}" maxlength="200">
    """# + MomentField.html + RecordingChoice.html + #"""
      <p><label class="check"><input type="checkbox" name="private"{{#isPrivate}} checked{{/isPrivate}}> Private</label><span class="hint"> Lists and searches leave it out. It is not encrypted.</span></p></details>
      <p class="submit"><button class="button large">{{#id}}Keep changes{{/id}}{{^id}}Keep it{{/id}}</button> <a href="/faith">Cancel</a></p></form>
      {{#id}}<details class="sure"><summary>Delete this entry</summary><form method="post" action="/faith/entries/{{id}}/delete"><button class="button danger">Delete it</button></form></details>{{/id}}
      """#)

  private func write(_ form: Form) async throws -> Response {
    try await host.write { library in
      let now = Date()
      let moment = try form.moment(now: now)
      var entry = JournalEntry(
        title: "", date: moment?.date ?? now, dateOffset: moment?.offset, createdAt: now)
      try form.fill(&entry)
      let prompt = form["prompt"].flatMap(UUID.init(uuidString:))
      try library.faith.write(entry, promptedBy: prompt, now: now)
    }
    return Page.redirect(to: "/faith?done=entry")
  }
}

extension Form {
  /// Takes over what the form says, but for the moment.
  fileprivate func fill(_ entry: inout JournalEntry) throws {
    entry.content = self["content"] ?? ""
    entry.title =
      self["title"] ?? entry.content.firstWords ?? (recording == nil ? "" : "Voice note")
    entry.mood = self["mood"]?.trimmingCharacters(in: .whitespacesAndNewlines)
    entry.tags = tags
    entry.location = self["location"]
    entry.isPrivate = self["private"] != nil
    entry.recordingID = recording
  }
}
