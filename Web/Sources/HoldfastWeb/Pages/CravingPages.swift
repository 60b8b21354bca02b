internal import Foundation
internal import Holdfast
internal import Hummingbird
internal import Mustache

/// Logging a craving, and what comes after it.
struct CravingPages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/craving") { request, _ in
      try await form(nil, back: request.fields.back)
    }
    router.post("/craving") { request, context in try await log(Form(request, context)) }
    router.get("/craving/:id/logged") { request, context in
      try await logged(context.id("id"), back: request.fields.back)
    }
    router.get("/craving/:id") { request, context in
      try await form(context.id("id"), back: "/history")
    }
    router.post("/craving/:id") { request, context in
      try await edit(context.id("id"), Form(request, context))
    }
    router.post("/craving/:id/delete") { request, context in
      let (id, form) = (try context.id("id"), try await Form(request, context))
      try await host.delete { library in try library.deleteCraving(id: id) }
      return Page.redirect(to: form.back)
    }
    router.post("/craving/:id/recording") { request, context in
      let (id, form) = (try context.id("id"), try await Form(request, context))
      let recording = form["recording"].flatMap(UUID.init(uuidString:))
      try await host.write { library in _ = try library.linkCraving(id: id, to: recording) }
      return Page.redirect(to: form.back)
    }
  }

  // MARK: The form

  private struct Values: Sendable {
    var action: String
    var intensity: Int
    var levels: [Level]
    var fields: EntryFields
    var isEdited: Bool
    var id: String
  }

  /// A word of the scale, with the numbers that it stands for.
  private struct Level: Sendable {
    var name: String
    var words: String
  }

  private func form(_ id: UUID?, back: String) async throws -> Response {
    let values = try await host.read { library in
      let craving = try id.map { try library.craving(idPrefix: $0.uuidString) }
      var fields = EntryFields(craving, now: Date(), back: back)
      var offered = try library.mostPlayedRecordings(limit: 20)
      if let id = craving?.recordingID, !offered.contains(where: { $0.id == id }) {
        offered += [try library.recording(id: id)].compactMap(\.self)
      }
      fields.recordings = offered.map {
        Choice($0.id.uuidString, $0.displayTitle, isChosen: $0.id == craving?.recordingID)
      }
      return Values(
        action: id.map { "/craving/\($0)" } ?? "/craving",
        intensity: craving?.intensity.value ?? 5,
        levels: IntensityCategory.allCases.map { Level(name: $0.rawValue, words: $0.label) },
        fields: fields, isEdited: id != nil, id: id?.uuidString ?? "")
    }
    return Page(id == nil ? "Log craving" : "Edit craving", .home, Self.template, values).response
  }

  private func log(_ form: Form) async throws -> Response {
    let craving = try await host.write { library in
      let now = Date()
      var craving = Craving(timestamp: now, intensity: try form.intensity(), createdAt: now)
      try form.fill(&craving, isNew: true, now: now, unless: form["opened"])
      craving.recordingID = form["recording"].flatMap(UUID.init(uuidString:))
      try library.log(craving, now: now)
      return craving
    }
    return Page.redirect(
      to: "/craving/\(craving.id)/logged?back=\(form.back.addingPercentEncoding)")
  }

  private func edit(_ id: UUID, _ form: Form) async throws -> Response {
    try await host.write { library in
      let intensity = try form.intensity()
      _ = try library.editCraving(id: id) { craving in
        craving.intensity = intensity
        try form.fill(&craving, isNew: false, now: Date(), unless: form["opened"])
        craving.recordingID = form.recording
      }
    }
    return Page.redirect(to: form.back)
  }

  private static let template = Page.template(
    #"""
    <form method="post" action="{{action}}" class="form">
    <input type="hidden" name="back" value="{{fields.back}}">
    <input type="hidden" name="opened" value="{{fields.when}}">
    <label for="intensity">How strong is it?</label>
    <input type="range" id="intensity" name="intensity" min="1" max="10" value="{{intensity}}" list="levels" data-intensity autofocus>
    <output for="intensity" class="level" data-level="{{intensity}}"></output>
    <p class="scale"><span>1 mild</span><span>4 moderate</span><span>7 strong</span><span>10 overwhelming</span></p>
    """# + EntryFields.html + #"""
      <label for="recording">The recording that helped</label>
      <select id="recording" name="recording"><option value="">None</option>
      {{#fields.recordings}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{name}}</option>{{/fields.recordings}}
      </select>
      </details>
      <p class="submit"><button class="button large">{{#isEdited}}Keep changes{{/isEdited}}{{^isEdited}}Log it{{/isEdited}}</button>
      <a href="{{fields.back}}">Cancel</a></p>
      </form>
      {{#isEdited}}<details class="sure"><summary>Delete this entry</summary><form method="post" action="/craving/{{id}}/delete"><input type="hidden" name="back" value="/history"><button class="button danger">Delete it</button></form></details>{{/isEdited}}
      """#)

  // MARK: Afterwards

  private struct Logged: Sendable {
    var id: String
    var back: String
    var message: ShownMessage?
    var recording: RecordingCard?
  }

  private func logged(_ id: UUID, back: String) async throws -> Response {
    let values = try await host.read { library in
      let craving = try library.craving(idPrefix: id.uuidString)
      let category = MessageCategory(triggers: craving.triggers.list)
      return Logged(
        id: id.uuidString, back: back,
        message: try ShownMessage.next(for: category, in: library),
        recording: try library.quickRecordings(limit: 1).first.map(RecordingCard.init))
    }
    return Page("Logged", .home, Self.loggedTemplate, values).response
  }

  private static let loggedTemplate = Page.template(
    #"""
    <p role="status" class="lead">It is written down. You can let go of it now.</p>
    <form method="post" action="/craving/{{id}}/delete" data-undo><input type="hidden" name="back" value="{{back}}">
    <button class="link">Undo</button></form>
    {{#message}}{{{html}}}{{/message}}
    {{#recording}}<ul class="cards one">{{{html}}}</ul>{{/recording}}
    <p><a class="button quiet" href="{{back}}">Go on</a></p>
    """#)
}

extension Form {
  /// The intensity that was chosen.
  ///
  /// - Throws: `RuleError` for anything but 1 to 10.
  fileprivate func intensity() throws -> Intensity {
    guard let number = self["intensity"].flatMap({ Int($0) }) else {
      throw RuleError("the intensity is missing; choose one from 1 to 10")
    }
    return try Intensity(number)
  }
}
