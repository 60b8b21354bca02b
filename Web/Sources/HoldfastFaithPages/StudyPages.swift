import Foundation
import Holdfast
import HoldfastFaith
import HoldfastWeb
import Hummingbird

/// Topics of study: the list of them, and each with its verses and notes.
struct StudyPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    StudyForm().add(
      to: pages, host, new: "study/new", records: "study", afterDeletion: StudyForm.path)
    pages.get("study") { request, _ in try await list(request.fields) }
  }

  private func list(_ fields: Form) async throws -> Response {
    try await Page.response("Study", tab: .home, template: Self.template, from: host) { library in
      try RecordList(fields, at: "\(StudyForm.path)?") { limit, offset in
        try library.faith.studyTopics(limit: limit, offset: offset).map { topic in
          RecordLine(
            topic.id.uuidString, topic.title, detail: topic.verses.count.counted("verse"),
            notes: topic.details.nonBlank.map { String($0.prefix(200)) },
            path: "\(StudyForm.path)/\(topic.id)")
        }
      }
    }
  }

  private static let template = Page.template(
    RecordList.html(empty: "No topics yet. A topic gathers verses and your notes.") + #"""
      <p class="row"><a class="button" href="/faith/study/new">Add a topic</a></p>
      """#)
}

/// The page of a topic: its verses and notes, and the form that changes it.
private struct StudyForm: RecordForm {
  static let path = "/faith/study"
  static let titles = (new: "Add a topic", edited: "Study")

  struct Fields: Sendable {
    var verses: [String]
    var lines: String
    var notes: String?
  }

  func fields(of topic: BibleStudyTopic?, _ address: Form, in library: Library) -> Fields {
    let verses = topic?.verses ?? []
    return Fields(verses: verses, lines: verses.joined(separator: "\n"), notes: topic?.notes)
  }

  func new(_ form: Form, now: Date) -> BibleStudyTopic {
    BibleStudyTopic(title: "", createdAt: now)
  }

  func change(_ form: Form, in library: Library) -> (inout BibleStudyTopic) throws -> Void {
    { topic in
      topic.title = form["title"] ?? ""
      topic.details = form["details"] ?? ""
      topic.verses = (form["verses"] ?? "").split(whereSeparator: \.isNewline)
        .compactMap { $0.trimmingCharacters(in: .whitespaces).nonBlank }
      topic.notes = form["notes"]
    }
  }

  func page(after topic: BibleStudyTopic, isNew: Bool, _ form: Form) -> String {
    "\(Self.path)/\(topic.id)"
  }

  static let template = Page.form(
    #"""
    {{#id}}<h2>{{record.title}}</h2><p class="notes">{{record.details}}</p>
    <ul>{{#verses}}<li>{{.}}</li>{{/verses}}</ul>
    {{#notes}}<section class="card"><h2>Notes</h2><p class="notes">{{.}}</p></section>{{/notes}}\#
    {{/id}}
    {{#id}}<details><summary>Edit</summary>{{/id}}
    <form method="post" action="{{action}}" class="form">
    <label for="title">Title</label>\#
    <input id="title" name="title" value="{{record.title}}" maxlength="200" required>
    <label for="verses">Verses, one a line</label>\#
    <textarea id="verses" name="verses" rows="4">{{lines}}</textarea>
    <label for="notes">Notes</label>\#
    <textarea id="notes" name="notes" rows="6" maxlength="100000">{{notes}}</textarea>
    <label for="details">What it is about</label>\#
    <textarea id="details" name="details" rows="2" maxlength="20000">{{record.details}}</textarea>
    \#(Page.submit("Save", cancel: "/faith/study"))
    {{#id}}</details>\#(Page.deletion("Delete this topic")){{/id}}
    """#)
}
