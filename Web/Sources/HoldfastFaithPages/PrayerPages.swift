import Foundation
import Holdfast
import HoldfastFaith
import HoldfastWeb
import Hummingbird

/// The prayers and their answers.
struct PrayerPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    PrayerForm().add(
      to: pages, host, new: "prayers/new", records: "prayers", afterDeletion: PrayerForm.path)
    pages.get("prayers") { request, _ in try await list(request.fields) }
    pages.form("prayers/:id/answer", host: host) { library, id, form in
      try library.faith.answer(id: id, notes: form["answerNotes"]).page
    }
    pages.form("prayers/:id/reopen", host: host) { library, id, _ in
      try library.faith.reopen(id: id).page
    }
    pages.form("prayers/:id/archive", host: host) { library, id, _ in
      try library.faith.archive(id: id).page
    }
    pages.form("prayers/:id/unarchive", host: host) { library, id, _ in
      try library.faith.unarchive(id: id).page
    }
  }

  private struct Values: Sendable {
    var statuses: [Choice]
    var status: String
    var list: RecordList
  }

  private func list(_ fields: Form) async throws -> Response {
    let status = try fields["status"].map(PrayerStatus.init(named:)) ?? .active
    func path(_ status: PrayerStatus) -> String {
      status.path + (fields.wantsPrivate ? "&private=1" : "")
    }
    let query = fields["q"].map { "&q=\($0.addingPercentEncoding)" } ?? ""
    let list = try await host.read { [path = path(status)] library in
      try RecordList(fields, at: path + query) { limit, offset in
        try library.faith.prayers(
          matching: FaithQuery(
            status: status, search: fields["q"], includesPrivate: fields.wantsPrivate, limit: limit,
            offset: offset)
        ).map(RecordLine.init)
      }
    }
    let statuses = PrayerStatus.allCases.map {
      Choice(
        path($0), $0 == .active ? "Open" : $0 == .archived ? "Archived" : $0.rawValue,
        isChosen: $0 == status)
    }
    let values = Values(statuses: statuses, status: status.rawValue, list: list)
    return Page("Prayers", tab: .home, template: Self.template, values: values).response
  }

  private static let shownStatus =
    #"<input type="hidden" name="status" value="{{status}}">"#

  private static let template = Page.template(
    #"""
    <nav class="periods" aria-label="Status"><ul>{{#statuses}}<li>\#
    <a href="{{value}}"{{#isChosen}} aria-current="page"{{/isChosen}}>{{name}}</a>\#
    </li>{{/statuses}}</ul></nav>
    {{#list}}\#(RecordList.search("/faith/prayers", "Search prayers", hidden: shownStatus))
    \#(RecordList.html(empty: "Nothing is here.", rest: answered)){{/list}}
    <p class="row"><a class="button" href="/faith/prayers/new">Pray</a></p>
    """#)

  /// The link of an open prayer in a list.
  static let answered = #"""
    {{#more}}<a class="button quiet" href="{{.}}">Answered<span class="hidden"> {{what}}</span>\#
    </a>{{/more}}
    """#
}

extension PrayerStatus {
  fileprivate var path: String { "\(PrayerForm.path)?status=\(rawValue)" }
}

extension PrayerRequest {
  /// The page that lists it.
  fileprivate var page: String { status.path }
}

extension RecordLine {
  init(_ prayer: PrayerRequest) {
    func day(_ date: Date) -> String {
      let words = Day(of: date, offset: prayer.dateOffset).words
      return ["Today", "Yesterday"].contains(words) ? words.lowercased() : words
    }
    let answer = prayer.answerDate.map { "answered \(day($0))" }
    let parts = ["since \(day(prayer.date))", answer, prayer.isPrivate ? "private" : nil]
    let path = "\(PrayerForm.path)/\(prayer.id)"
    self.init(
      prayer.id.uuidString, prayer.title,
      detail: (parts.compactMap(\.self) + prayer.tags).joined(separator: " · "),
      notes: prayer.answerNotes ?? prayer.details.nonBlank, path: path,
      recording: prayer.recordingID, more: prayer.status == .active ? "\(path)#answer" : nil)
  }
}

/// The form that writes a prayer or changes it.
private struct PrayerForm: RecordForm {
  static let path = "/faith/prayers"
  static let titles = (new: "Pray", edited: "Prayer")

  struct Fields: Sendable {
    var tags: String
    var answered: String?
    var isActive: Bool
    var isArchived: Bool
  }

  func fields(of prayer: PrayerRequest?, _ address: Form, in library: Library) -> Fields {
    Fields(
      tags: (prayer?.tags ?? []).joined(separator: ", "),
      answered: prayer?.answerDate?.words(in: .minutes(prayer?.dateOffset ?? 0)),
      isActive: prayer?.status == .active, isArchived: prayer?.status == .archived)
  }

  func new(_ form: Form, now: Date) -> PrayerRequest {
    PrayerRequest(title: "", date: now, createdAt: now)
  }

  func change(_ form: Form, in library: Library) -> (inout PrayerRequest) throws -> Void {
    { prayer in
      prayer.details = form["details"] ?? ""
      prayer.title = form.title(orWordsOf: prayer.details, spoken: "Spoken prayer")
      prayer.tags = form.tags
      prayer.isPrivate = form["private"] != nil
      if prayer.isAnswered { prayer.answerNotes = form["answerNotes"] }
    }
  }

  func page(after prayer: PrayerRequest, isNew: Bool, _ form: Form) -> String {
    isNew ? "/faith?done=prayer" : prayer.page
  }

  static let template = Page.form(
    #"""
    {{#answered}}<p class="lead">Answered {{.}}</p>{{/answered}}
    {{#recording}}<audio controls preload="none" src="/media/{{.}}" aria-label="The recording">\#
    </audio>{{/recording}}
    {{^recording}}{{^id}}<p><a class="button quiet" \#
    href="/record?kind=audio&amp;then=/faith/prayers/new">Say it instead</a>\#
    </p>{{/id}}{{/recording}}
    {{#isActive}}<section class="card" id="answer"><h2>Was it answered?</h2>\#
    <form method="post" action="{{action}}/answer" class="form">
    <label for="answer-notes">What you want to remember of it</label>\#
    <textarea id="answer-notes" name="answerNotes" rows="2" maxlength="5000"></textarea>
    <p class="submit"><button class="button">It is answered</button></p></form>\#
    </section>{{/isActive}}
    <form method="post" action="{{action}}" class="form">
    <label for="title">For what, or for whom</label>\#
    <input id="title" name="title" value="{{record.title}}" maxlength="200">
    <label for="details">Your words</label>\#
    <textarea id="details" name="details" rows="5" maxlength="20000">{{record.details}}</textarea>
    {{#answered}}<label for="notes">About the answer</label>\#
    <textarea id="notes" name="answerNotes" rows="3" \#
    maxlength="5000">{{record.answerNotes}}</textarea>{{/answered}}
    <details{{#isOpen}} open{{/isOpen}}><summary>More details (optional)</summary>
    \#(FaithFields.tags)\#(MomentField.html)\#(RecordingField.html())\#(FaithFields.privacy)\#
    </details>
    \#(Page.submit(cancel: "/faith/prayers"))
    {{#id}}<div class="inline">{{#isArchived}}<form method="post" action="{{action}}/unarchive">\#
    <button class="link">Bring it back</button></form>{{/isArchived}}
    {{^isArchived}}<form method="post" action="{{action}}/archive">\#
    <button class="link">Archive</button></form>{{/isArchived}}
    \#(Page.deletion("Delete"))</div>
    {{#answered}}<form method="post" action="{{action}}/reopen">\#
    <button class="link">Open it again</button>
    <p class="hint">Its answer, and what you wrote about it, is removed.</p></form>\#
    {{/answered}}{{/id}}
    """#)
}
