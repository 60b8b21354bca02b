package import Foundation
package import Holdfast
package import Hummingbird
package import Mustache

/// The form of a kind of record, with the pages that add a record, change it and delete it.
///
/// A kind declares its fields and their meaning. The kind's declaration tells the form a record's
/// moment and its link to a recording.
package protocol RecordForm: Sendable {
  /// The kind.
  associatedtype Record: JournalRecord where Record.ID == UUID
  /// The first values of the kind's own fields.
  associatedtype Fields: Sendable

  /// The path of the records, such as `/faith/entries`.
  static var path: String { get }
  /// The headings of the page that adds a record and of the page that changes one.
  static var titles: (new: String, edited: String) { get }
  /// The page above the form; `nil` for that of the journal or the tab.
  static func parent(isNew: Bool) -> Page.Parent?
  /// The page, made with ``Page/form(_:)``.
  static var template: MustacheTemplate { get }

  /// Returns the first values of the fields for a record, or for a new one.
  func fields(of record: Record?, _ address: Form, in library: Library) throws -> Fields

  /// Makes a record. Its change, moment and link are applied afterwards.
  func new(_ form: Form, now: Date) throws -> Record

  /// Returns the change that a form asks for, without the moment and the link.
  ///
  /// It may read the library. The change itself, which runs in a transaction, may not.
  func change(_ form: Form, in library: Library) throws -> (inout Record) throws -> Void

  func page(after record: Record, isNew: Bool, _ form: Form) -> String

  /// The moment that the form of a new record shows; `nil` for the present.
  func moment(_ address: Form, now: Date) throws -> String?

  func recordings(
    choosing chosen: UUID?, _ address: Form, in library: Library
  ) throws -> RecordingChoices

  /// Adds a record.
  func add(_ record: Record, _ form: Form, to library: Library, now: Date) throws

  /// Changes a record, in one transaction.
  func edit(
    _ id: UUID, _ form: Form, in library: Library, _ change: (inout Record) throws -> Void
  ) throws -> Record
}

extension RecordForm {
  package static func parent(isNew: Bool) -> Page.Parent? { nil }

  package func moment(_ address: Form, now: Date) throws -> String? { nil }

  package func recordings(
    choosing chosen: UUID?, _ address: Form, in library: Library
  ) throws -> RecordingChoices {
    try RecordingField.choices(in: library, address, choosing: chosen)
  }

  /// Reads a record.
  package func record(_ id: UUID, in library: Library) throws -> Record {
    try library.record(Record.self, idPrefix: id.uuidString)
  }

  package func add(_ record: Record, _ form: Form, to library: Library, now: Date) throws {
    try library.add(record, now: now)
  }

  package func edit(
    _ id: UUID, _ form: Form, in library: Library, _ change: (inout Record) throws -> Void
  ) throws -> Record {
    try library.edit(Record.self, id: id, change)
  }
}

// MARK: The pages

/// The values of every form's page.
private struct FormValues<Record: Sendable, Fields: Sendable>: Sendable {
  var action: String
  var id: String?
  var version: String?
  var when: String
  /// The recording that the record links to, or the one made for a new record.
  var recording: String?
  var recordings: [RecordingChoice]
  var moreRecordings: String?
  var isOpen: Bool
  var record: Record?
  var fields: Fields
}

extension RecordForm {
  /// Adds the form of a new record at `new`, and the forms of existing records below `records`.
  ///
  /// - Parameters:
  ///   - page: The path of the page after a deletion; `nil` for the form's `back`.
  ///   - hasPhotos: Whether the form may bring photos.
  package func add(
    to pages: some RouterMethods<WebContext>, _ host: LibraryHost, new: RouterPath,
    records: String, afterDeletion page: String? = nil, hasPhotos: Bool = false
  ) {
    pages.get(new) { request, _ in try await show(nil, address: request.fields, from: host) }
    pages.post(RouterPath(records)) { request, context in
      try await answer(request, context, from: host, hasPhotos) { form in
        { library in try add(form, to: library) }
      }
    }
    let one = RouterPath("\(records)/:id")
    pages.get(one) { request, context in
      try await show(context.id("id"), address: request.fields, from: host)
    }
    pages.post(one) { request, context in
      let id = try context.id("id")
      return try await answer(request, context, from: host, hasPhotos, saying: .saved) { form in
        { library in try edit(id, form, in: library) }
      }
    }
    pages.deletion(of: Record.self, RouterPath("\(records)/:id/delete"), host: host, then: page)
  }

  /// Makes the change of a form, and leads to the page that `change` returns.
  private func answer(
    _ request: Request, _ context: WebContext, from host: LibraryHost, _ hasPhotos: Bool,
    saying notice: Notice? = nil,
    change: (Form) -> @Sendable (Library) throws -> String
  ) async throws -> Response {
    guard hasPhotos else {
      let form = try await Form(request, context)
      return Page.redirect(to: try await host.write(change(form)), saying: notice)
    }
    return try await host.withForm(of: request, context) { form in
      let page = try await host.write(change(form))
      guard let refusal = form.refusal else { return Page.redirect(to: page, saying: notice) }
      return RefusedPhotos.response(WebProblem(refusal), next: page)
    }
  }

  private func show(_ id: UUID?, address: Form, from host: LibraryHost) async throws -> Response {
    let values = try await host.read { library in
      let (now, link) = (Date(), Record.declaration.link?.path)
      let record = try id.map { try self.record($0, in: library) }
      let moment = try record == nil ? self.moment(address, now: now) : nil
      let offered = try address.recording.flatMap { try library.recording(id: $0)?.id }
      let chosen = record == nil ? offered : link.flatMap { record?[keyPath: $0] }
      let offer = try recordings(choosing: chosen, address, in: library)
      return FormValues(
        action: id.map { "\(Self.path)/\($0)" } ?? Self.path, id: id?.uuidString,
        version: record?.version,
        when: record.flatMap(Self.when) ?? moment ?? now.fieldText(offset: now.localOffset),
        recording: chosen?.uuidString, recordings: offer.choices, moreRecordings: offer.more,
        isOpen: record != nil || moment != nil || address["all"] != nil, record: record,
        fields: try fields(of: record, address, in: library))
    }
    let title = id == nil ? Self.titles.new : Self.titles.edited
    return Page(
      title, tab: .home, under: Self.parent(isNew: id == nil), template: Self.template,
      values: values
    ).response
  }

  private static func when(_ record: Record) -> String? {
    Record.declaration.moment.map {
      record[keyPath: $0.date].fieldText(offset: record[keyPath: $0.offset])
    }
  }

  private func add(_ form: Form, to library: Library) throws -> String {
    let (now, change) = (Date(), try change(form, in: library))
    var record = try new(form, now: now)
    try apply(change, and: form, to: &record, offset: nil)
    try add(record, form, to: library, now: now)
    return page(after: record, isNew: true, form)
  }

  private func edit(_ id: UUID, _ form: Form, in library: Library) throws -> String {
    let change = try change(form, in: library)
    let edited = try edit(id, form, in: library) { record in
      try form.expect(record.version)
      // A record from another time zone is changed in that zone's time.
      let offset = Record.declaration.moment.map { record[keyPath: $0.offset] }
      try apply(change, and: form, to: &record, offset: offset)
    }
    return page(after: edited, isNew: false, form)
  }

  private func apply(
    _ change: (inout Record) throws -> Void, and form: Form, to record: inout Record, offset: Int?
  ) throws {
    try change(&record)
    if let link = Record.declaration.link?.path { record[keyPath: link] = form.recording }
    guard let moment = Record.declaration.moment,
      let chosen = try form.moment(now: Date(), offset: offset)
    else { return }
    record[keyPath: moment.date] = chosen.date.roundedToMillisecond
    record[keyPath: moment.offset] = chosen.offset
  }
}

// MARK: The template

extension Page {
  /// Reads the template of a ``RecordForm``. It names the kind's own fields, and `action`, `id`,
  /// `when`, `recording`, `recordings`, `isOpen` and the values of `record`.
  package static func form(_ text: String) -> MustacheTemplate {
    template("{{#fields}}\(text)\n{{/fields}}")
  }

  /// The end of a form. Its button says `add` for a new record.
  ///
  /// - Parameter files: The fields for files, which come last: what is before them has then arrived
  ///   when one is refused.
  package static func submit(
    _ add: String = "Save", files: String = "", cancel: String
  ) -> String {
    #"""
    {{#version}}<input type="hidden" name="version" value="{{.}}">{{/version}}\#
    \#(files)<p class="submit"><button class="button large">{{#id}}Keep changes{{/id}}{{^id}}\#
    \#(add){{/id}}</button> <a href="\#(cancel)">Cancel</a></p></form>
    """#
  }

  /// A button that deletes the record at `path`. The user first opens its summary.
  ///
  /// - Parameter back: The path of the next page, where the form names it.
  package static func deletion(
    of path: String = "{{action}}", _ summary: String, back: String? = nil
  ) -> String {
    let next = back.map { #"<input type="hidden" name="back" value="\#($0)">"# } ?? ""
    return #"""
      <details class="sure"><summary>\#(summary)</summary>\#
      <form method="post" action="\#(path)/delete">\#(next)\#
      <button class="button danger">Delete it</button></form></details>
      """#
  }
}

// MARK: Pages that are not up to date

extension DeclaredRecord {
  /// A text that differs after each change.
  package var version: String { JSONFormat.text(modifiedAt ?? createdAt) }
}

extension Recording {
  /// A text that differs after each change.
  var version: String { JSONFormat.text(modifiedAt ?? createdAt) }
}

extension Form {
  /// Refuses a form whose page showed an older version, so that it does not overwrite a newer text.
  ///
  /// - Throws: ``WebProblem``.
  package func expect(_ version: String) throws {
    guard let shown = self["version"], shown != version else { return }
    throw WebProblem(
      .conflict, code: "changed",
      detail:
        "this was changed elsewhere meanwhile, so nothing was saved; go back and copy your words, "
        + "then open the page again")
  }
}
