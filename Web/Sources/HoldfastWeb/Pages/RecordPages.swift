import Foundation
import Holdfast
import Hummingbird

/// The page on which a recording is made, or files are chosen.
struct RecordPages: Sendable {
  let imports: Imports

  func add(to router: Router<WebContext>) {
    router.get("/record") { request, _ in
      let fields = request.fields
      let values = Values(then: fields.path("then"), kind: fields["kind"] ?? "")
      return Page("New recording", tab: .recordings, template: Self.template, values: values)
        .response
    }
    router.post("/record") { request, _ in try await upload(request) }
    router.post("/record/:id") { request, context in
      try await resume(
        context.id("id"), Form(request, context), then: request.fields.path("then"))
    }
  }

  private struct Values: Sendable {
    /// The page that continues with the recording; `nil` without one.
    var then: String?
    /// Video or sound, if another page has chosen it.
    var kind: String
    var purposes: [Choice]

    init(then: String?, kind: String) {
      self.then = then
      self.kind = RecordingType(rawValue: kind)?.rawValue ?? ""
      // A recording for a journal is not for a hard moment.
      let chosen = then == nil ? RecordingPurpose.motivational : .reflection
      purposes = RecordingPurpose.allCases.map {
        Choice($0.rawValue, isChosen: $0 == chosen)
      }
    }
  }

  private static let template = Page.template(
    #"""
    <section class="recorder" data-recorder data-then="{{then}}" data-only="{{kind}}" hidden \#
    aria-label="Record">
    <div data-step="choose"><p class="actions">
    <button type="button" class="large" data-kind="audio">\#(Icon.microphone)Record sound</button>
    <button type="button" class="large" data-kind="video">\#(Icon.camera)Record video</button></p>
    <p class="hint">It starts when you press, and lasts up to 2:00.</p></div>
    <p role="alert" data-problem></p>
    <video data-preview hidden playsinline></video>
    <canvas data-level hidden width="960" height="128" aria-hidden="true"></canvas>
    <div data-step="recording" hidden>
    <p class="timer" role="timer" data-timer>0:00 of 2:00</p>
    <p class="hint" data-hint>Say something. If the line moves, your microphone works.</p>
    <p class="submit"><button type="button" class="large" data-stop>Stop</button>\#
    <button type="button" class="link" data-back>Back</button></p></div>
    <div data-step="listen" hidden><video data-listen-video controls playsinline></video>\#
    <audio data-listen-audio controls></audio>
    <div class="form"><label for="title">Title (optional)</label>\#
    <input id="title" data-title maxlength="40">
    <details><summary>More details (optional)</summary>
    <label for="notes">Notes</label>\#
    <textarea id="notes" data-notes maxlength="200" rows="2"></textarea>
    <label for="purpose">Purpose</label><select id="purpose" data-purpose>{{#purposes}}\#
    <option{{#isChosen}} selected{{/isChosen}}>{{name}}</option>{{/purposes}}</select></details>
    <p class="submit"><button type="button" class="large" data-keep>Keep</button>\#
    <button type="button" class="link danger" data-discard>Discard…</button></p></div></div>
    </section>
    <section data-files><h2>Choose files</h2>
    <form method="post" action="/record{{#then}}?then={{.}}{{/then}}" \#
    enctype="multipart/form-data" class="form">
    <div class="drop"><label for="files">Choose recordings, or drop them here</label>
    <input type="file" id="files" name="files" multiple accept="video/*,audio/*"></div>
    <p data-without-script><button class="button">Keep them</button></p></form></section>
    <ul class="uploads" data-uploads aria-live="polite"></ul>
    <p class="back"><a href="{{#then}}{{.}}{{/then}}{{^then}}/recordings{{/then}}">\#
    {{#then}}Back{{/then}}{{^then}}Recordings{{/then}}</a></p>
    <template data-upload><li><strong data-name></strong> <progress max="1" value="0"></progress>\#
    <div data-state></div>\#
    <form class="row" data-choice hidden>\#(Self.choice)</form></li></template>
    <template data-naming><form class="naming">\#(Self.naming)</form></template>
    """#)

  /// The buttons for a file that is too long.
  private static let choice = #"""
    <button class="button" name="over" value="trim">Keep the first 2 minutes</button> \#
    <button class="button quiet" name="over" value="split">Split it</button>
    """#

  /// The field that names a new recording.
  private static let naming = #"""
    <label>Name it <input name="title" maxlength="200" value="{{given}}" required></label> \#
    <button class="button quiet">Save</button>
    """#

  // MARK: Without a script

  private struct Added: Sendable {
    var id: String
    var shown: String
    var given: String
    var next: String?

    init(_ recording: Recording, then: String?) {
      id = recording.id.uuidString
      shown = recording.displayTitle
      given = recording.title ?? ""
      next = then.map { "\($0)?recording=\(recording.id)" }
    }
  }

  private struct Result: Sendable {
    var name: String
    var sentence: String
    var added: [Added] = []
    /// The path of the choice that the file waits for.
    var choice: String?
    var isRefused: Bool

    init(_ outcome: Imports.Outcome, of name: String, as id: UUID, then: String?) {
      self.name = name
      sentence = outcome.sentence.asSentence
      added = outcome.recordings.map { Added($0, then: then) }
      let query = then.map { "?then=\($0)" } ?? ""
      choice = outcome.isWaiting ? "/record/\(id)\(query)" : nil
      isRefused = outcome.output.error != nil
    }

    init(_ error: HoldfastError, of name: String) {
      self.name = name
      sentence = WebProblem(error).detail.asSentence
      isRefused = true
    }
  }

  /// Imports the files of a form, one after the other, and shows the result of each.
  private func upload(_ request: Request) async throws -> Response {
    var results: [Result] = []
    let then = request.fields.path("then")
    let options = ImportOptions(purpose: then == nil ? .motivational : .reflection)
    let reader = try MultipartReader(request)
    while let name = try await reader.nextPart() {
      guard !name.isEmpty else { continue }
      do {
        let upload = try await imports.receive(name) { try await reader.nextPiece() }
        let id = imports.begin(upload, options)
        results.append(Result(try await imports.result(of: id), of: name, as: id, then: then))
      } catch let error as HoldfastError {
        // Continue with the next file.
        results.append(Result(error, of: name))
      }
    }
    return page(results)
  }

  /// Imports a file again that was too long, as the user has chosen.
  private func resume(_ id: UUID, _ form: Form, then: String?) async throws -> Response {
    let id = try imports.resume(id, form.overLimitChoice())
    let outcome = try await imports.result(of: id)
    return page([Result(outcome, of: outcome.output.source, as: id, then: then)])
  }

  private func page(_ results: [Result]) -> Response {
    Page(
      "New recordings", tab: .recordings, template: Self.resultTemplate,
      values: ["results": results]
    ).response
  }

  private static let resultTemplate = Page.template(
    #"""
    <ul class="entries">{{#results}}<li><p><strong>{{name}}</strong></p>\#
    <p{{#isRefused}} role="alert"{{/isRefused}}>{{sentence}}</p>\#
    {{#choice}}<form method="post" action="{{.}}" class="row">\#(choice)</form>{{/choice}}\#
    {{#added}}<p><a class="play" href="/recordings/{{id}}?play">{{shown}}</a></p>\#
    {{#next}}<p><a class="button" href="{{.}}">Continue</a></p>{{/next}}\#
    {{^next}}<form method="post" action="/recordings/{{id}}/title" class="naming">\#
    \#(naming)</form>{{/next}}{{/added}}</li>{{/results}}
    {{^results}}<li><p>No file was chosen.</p></li>{{/results}}</ul>
    <p><a class="button quiet" href="/recordings">Recordings</a></p>
    """#)
}
