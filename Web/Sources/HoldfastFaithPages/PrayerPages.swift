internal import Foundation
internal import Holdfast
internal import HoldfastFaith
internal import HoldfastWeb
internal import Hummingbird
internal import Mustache

/// Prayers, and what became of them.
struct PrayerPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("prayers") { request, _ in try await list(request.fields) }
    pages.get("prayers/new") { request, _ in try await form(for: request.fields) }
    pages.post("prayers") { request, context in
      let form = try await Form(request, context)
      try await host.write { library in
        let now = Date()
        let moment = try form.moment(now: now)
        var prayer = PrayerRequest(
          title: "", date: moment?.date ?? now, dateOffset: moment?.offset, createdAt: now)
        form.fill(&prayer)
        try library.faith.add(prayer, now: now)
      }
      return Page.redirect(to: "/faith?done=prayer")
    }
    pages.get("prayers/:id") { _, context in try await form(editing: context.id("id")) }
    pages.post("prayers/:id") { request, context in
      try await change(context.id("id"), Form(request, context)) { faith, id, form in
        try faith.edit(PrayerRequest.self, id: id) { prayer in
          form.fill(&prayer)
          if prayer.isAnswered { prayer.answerNotes = form["answerNotes"] }
          if let moment = try form.moment(now: Date(), offset: prayer.dateOffset) {
            (prayer.date, prayer.dateOffset) = (moment.date.roundedToMillisecond, moment.offset)
          }
        }
      }
    }
    pages.post("prayers/:id/answer") { request, context in
      try await change(context.id("id"), Form(request, context)) { faith, id, form in
        try faith.answer(id: id, notes: form["answerNotes"])
      }
    }
    pages.post("prayers/:id/reopen") { request, context in
      try await change(context.id("id"), Form(request, context)) { faith, id, _ in
        try faith.reopen(id: id)
      }
    }
    pages.post("prayers/:id/archive") { request, context in
      try await change(context.id("id"), Form(request, context)) { faith, id, _ in
        try faith.archive(id: id)
      }
    }
    pages.post("prayers/:id/unarchive") { request, context in
      try await change(context.id("id"), Form(request, context)) { faith, id, _ in
        try faith.unarchive(id: id)
      }
    }
    pages.post("prayers/:id/delete") { _, context in
      let id = try context.id("id")
      try await host.delete { library in try library.faith.delete(PrayerRequest.self, id: id) }
      return Page.redirect(to: "/faith/prayers")
    }
  }

  private func change(
    _ id: UUID, _ form: Form,
    _ body: @escaping @Sendable (FaithJournal, UUID, Form) throws -> PrayerRequest
  ) async throws -> Response {
    let prayer = try await host.write { library in try body(library.faith, id, form) }
    return Page.redirect(to: "/faith/prayers?status=\(prayer.status.rawValue)")
  }

  // MARK: The list

  private static let pageLength = 50

  private struct Status: Sendable {
    var path: String
    var name: String
    var isChosen: Bool
  }

  private struct ListValues: Sendable {
    var statuses: [Status]
    var search: String
    var hasPrivate: Bool
    var status: String
    var prayers: [PrayerItem]
    var isEmpty: Bool
    var next: String?
  }

  private func list(_ fields: Form) async throws -> Response {
    let status = try fields["status"].map(PrayerStatus.init(named:)) ?? .active
    let (search, hasPrivate, page) = (fields["q"], fields["private"] != nil, fields.page)
    let found = try await host.read { library in
      try library.faith.prayers(
        matching: PrayerQuery(
          status: status, search: search, includesPrivate: hasPrivate,
          limit: Self.pageLength + 1, offset: (page - 1) * Self.pageLength))
    }
    func path(_ status: PrayerStatus) -> String {
      "/faith/prayers?status=\(status.rawValue)\(hasPrivate ? "&private=1" : "")"
    }
    let query = search.map { "&q=\($0.addingPercentEncoding)" } ?? ""
    let values = ListValues(
      statuses: PrayerStatus.allCases.map {
        Status(
          path: path($0), name: $0 == .active ? "Open" : $0 == .archived ? "Put away" : $0.rawValue,
          isChosen: $0 == status)
      }, search: search ?? "", hasPrivate: hasPrivate, status: status.rawValue,
      prayers: found.prefix(Self.pageLength).map(PrayerItem.init), isEmpty: found.isEmpty,
      next: found.count > Self.pageLength ? "\(path(status))\(query)&page=\(page + 1)" : nil)
    return Page("Prayers", .home, Self.listTemplate, values).response
  }

  private static let listTemplate = Page.template(
    #"""
    <nav class="periods" aria-label="Status"><ul>{{#statuses}}<li><a href="{{path}}"{{#isChosen}} aria-current="page"{{/isChosen}}>{{name}}</a></li>{{/statuses}}</ul></nav>
    <form method="get" action="/faith/prayers" class="filters" role="search"><input type="hidden" name="status" value="{{status}}"><label class="hidden" for="q">Search</label>
    <input type="search" id="q" name="q" value="{{search}}" placeholder="Search prayers">
    <label class="check"><input type="checkbox" name="private" value="1"{{#hasPrivate}} checked{{/hasPrivate}}> Private ones too</label><button class="button quiet">Show</button></form>
    {{#isEmpty}}<p role="status">Nothing is here.</p>{{/isEmpty}}
    """# + PrayerItem.list + #"""
      {{#next}}<p class="pages"><a href="{{.}}" rel="next">Earlier</a></p>{{/next}}
      <p class="row"><a class="button" href="/faith/prayers/new">Pray</a> <a class="button quiet" href="/faith">Faith</a></p>
      """#)

  // MARK: The form

  private struct Values: Sendable {
    var id: String?
    var recording: String?
    var title = ""
    var details = ""
    var tags = ""
    var isPrivate = false
    var when: String
    var recordings: [RecordingChoice] = []
    var isOpen = false
    var answered: String?
    var answerNotes = ""
    var isActive = false
    var isArchived = false
  }

  private func form(for fields: Form) async throws -> Response {
    let values = try await host.read { library in
      let now = Date()
      var values = Values(when: now.fieldText(offset: now.localOffset))
      let recording = try fields.recording.flatMap { try library.recording(id: $0) }
      values.recording = recording?.id.uuidString
      values.recordings = try RecordingChoice.newest(in: library, choosing: recording?.id)
      return values
    }
    return Page("Pray", .home, Self.template, values).response
  }

  private func form(editing id: UUID) async throws -> Response {
    let values = try await host.read { library in
      let prayer = try library.faith.record(PrayerRequest.self, idPrefix: id.uuidString)
      var values = Values(when: prayer.date.fieldText(offset: prayer.dateOffset))
      values.id = prayer.id.uuidString
      (values.title, values.details) = (prayer.title, prayer.details)
      values.tags = prayer.tags.joined(separator: ", ")
      values.isPrivate = prayer.isPrivate
      values.recording = prayer.recordingID?.uuidString
      values.recordings = try RecordingChoice.newest(in: library, choosing: prayer.recordingID)
      values.isOpen = true
      values.answered = prayer.answerDate.map { $0.localText(offset: prayer.dateOffset) }
      values.answerNotes = prayer.answerNotes ?? ""
      values.isActive = prayer.status == .active
      values.isArchived = prayer.status == .archived
      return values
    }
    return Page("Prayer", .home, Self.template, values).response
  }

  private static let template = Page.template(
    #"""
    {{#answered}}<p class="lead">Answered on {{.}}</p>{{/answered}}
    {{#recording}}<audio controls preload="none" src="/media/{{.}}" aria-label="The recording"></audio>{{/recording}}
    {{^recording}}{{^id}}<p><a class="button quiet" href="/record?kind=audio&amp;then=/faith/prayers/new">Say it instead</a></p>{{/id}}{{/recording}}
    {{#isActive}}<section class="card" id="answer"><h2>Was it answered?</h2><form method="post" action="/faith/prayers/{{id}}/answer" class="form">
    <label for="answer-notes">What you want to remember of it</label><textarea id="answer-notes" name="answerNotes" rows="2" maxlength="5000"></textarea>
    <p class="submit"><button class="button">It is answered</button></p></form></section>{{/isActive}}
    <form method="post" action="/faith/prayers{{#id}}/{{.}}{{/id}}" class="form">
    <label for="title">For what, or for whom</label><input id="title" name="title" value="{{title}}" maxlength="200">
    <label for="details">Your words</label><textarea id="details" name="details" rows="5" maxlength="20000">{{details}}</textarea>
    {{#answered}}<label for="notes">About the answer</label><textarea id="notes" name="answerNotes" rows="3" maxlength="5000">{{answerNotes}}</textarea>{{/answered}}
    <details{{#isOpen}} open{{/isOpen}}><summary>More, if you like</summary>
    <label for="tags">Tags, with commas between them</label><input id="tags" name="tags" value="{{tags}}">
    """# + MomentField.html + RecordingChoice.html + #"""
      <p><label class="check"><input type="checkbox" name="private"{{#isPrivate}} checked{{/isPrivate}}> Private</label><span class="hint"> Lists and searches leave it out. It is not encrypted.</span></p></details>
      <p class="submit"><button class="button large">{{#id}}Keep changes{{/id}}{{^id}}Keep it{{/id}}</button> <a href="/faith/prayers">Cancel</a></p></form>
      {{#id}}<div class="inline">{{#isArchived}}<form method="post" action="/faith/prayers/{{id}}/unarchive"><button class="link">Bring it back</button></form>{{/isArchived}}
      {{^isArchived}}<form method="post" action="/faith/prayers/{{id}}/archive"><button class="link">Put it away</button></form>{{/isArchived}}
      <details class="sure"><summary>Delete</summary><form method="post" action="/faith/prayers/{{id}}/delete"><button class="button danger">Delete it</button></form></details></div>
      {{#answered}}<form method="post" action="/faith/prayers/{{id}}/reopen"><button class="link">Open it again</button><span class="hint"> Its answer, and what you wrote about it, is removed.</span></form>{{/answered}}{{/id}}
      """#)
}

extension Form {
  /// Takes over what the form says, but for the moment and the answer.
  fileprivate func fill(_ prayer: inout PrayerRequest) {
    prayer.details = self["details"] ?? ""
    prayer.title =
      self["title"] ?? prayer.details.firstWords ?? (recording == nil ? "" : "Spoken prayer")
    prayer.tags = tags
    prayer.isPrivate = self["private"] != nil
    prayer.recordingID = recording
  }
}
