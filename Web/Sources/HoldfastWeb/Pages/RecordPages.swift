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
      return Page(
        "New recording", tab: .recordings, under: values.then.map { .init("Back", $0) },
        template: Self.template, values: values
      ).response
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
        Choice($0.rawValue, $0.rawValue.capitalized, isChosen: $0 == chosen)
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
    <div data-step="listen" hidden><div class="player"><video data-listen playsinline></video>
    <div class="scrub"><canvas data-heard width="960" height="128" aria-hidden="true"></canvas>\#
    <span data-past></span><input type="range" min="0" max="1" step="0.01" \#
    value="0" aria-label="Position" data-position></div>
    <p class="times"><span data-now>0:00</span><span data-length></span></p>
    <p class="main-controls"><button type="button" class="toggle" aria-label="Play" data-toggle>\#
    \#(Icon.play)\#(Icon.pause)</button></p></div>
    <div class="form"><label for="title">Title (optional)</label>\#
    <input id="title" data-title maxlength="40">
    <details><summary>More details (optional)</summary>
    <label for="notes">Notes</label>\#
    <textarea id="notes" data-notes maxlength="200" rows="2"></textarea>
    <label for="purpose">Purpose</label><select id="purpose" data-purpose>\#
    \#(Choice.options("purposes"))</select></details>
    <p class="submit"><button type="button" class="large" data-keep>Keep</button>\#
    <button type="button" class="link danger" data-discard>Discard…</button></p></div></div>
    </section>
    <section data-files><h2>Recordings that you have</h2>
    <form method="post" action="/record{{#then}}?then={{.}}{{/then}}" \#
    enctype="multipart/form-data" class="form">
    <div class="drop"><label for="files"><span class="button">Choose recordings</span>\#
    <span class="by-mouse"><span class="hidden">, </span>or drop them here</span></label>
    <input type="file" id="files" name="files" multiple accept="video/*,audio/*">
    <p class="hint">A recording lasts up to 2:00. A longer one can be shortened or split.</p></div>
    <p data-without-script><button class="button">Keep them</button></p></form></section>
    <p class="done" role="status" data-summary hidden></p>
    <ul class="uploads" data-uploads aria-live="polite"></ul>
    <template data-upload><li><span data-name></span> <progress max="1" value="0"></progress>\#
    <div data-state></div>\#
    <form class="row" data-choice hidden>\#(Self.choice)</form></li></template>
    <template data-came><div class="came"><img alt="">\#
    <p><a class="play"></a><span class="detail"></span></p></div></template>
    <template data-naming><details class="naming"><summary>Name it</summary>\#
    <form class="row">\#(Self.naming)</form></details></template>
    """#)

  /// The buttons for a file that is too long.
  private static let choice = #"""
    <button class="button" name="over" value="trim">Keep the first 2 minutes</button> \#
    <button class="button quiet" name="over" value="split"><span>Split it\#
    <span data-parts>{{#parts}} into {{.}} parts{{/parts}}</span></span></button>
    """#

  /// The field that names a new recording.
  private static let naming = #"""
    <input name="title" maxlength="200" value="{{given}}" required aria-label="Name it"> \#
    <button class="button quiet">Save</button>
    """#

  // MARK: Without a script

  private struct Added: Sendable {
    var id: String
    var isVideo: Bool
    var shown: String
    var given: String
    var next: String?

    init(_ recording: Recording, then: String?) {
      isVideo = recording.type == .video
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
    /// Into how many parts it would be split.
    var parts: Int?
    var isRefused: Bool
    var isKnown = false

    init(_ outcome: Imports.Outcome, of name: String, as id: UUID, then: String?) {
      self.name = name
      sentence = outcome.sentence.asSentence
      added = outcome.recordings.map { Added($0, then: then) }
      let query = then.map { "?then=\($0)" } ?? ""
      choice = outcome.isWaiting ? "/record/\(id)\(query)" : nil
      isRefused = outcome.output.error != nil
      isKnown = outcome.output.event == "skipped"
      parts = outcome.seconds.map { Int(($0 / RecordingLimit.seconds).rounded(.up)) }
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
    let added = results.filter { !$0.isKnown }.reduce(0) { $0 + $1.added.count }
    return Page(
      "New recordings", tab: .recordings, template: Self.resultTemplate,
      values: [
        "results": results, "summary": "\(added.counted("recording")) added.", "isOne": added == 1,
      ] as [String: Any]
    ).response
  }

  private static let resultTemplate = Page.template(
    #"""
    {{^empty(results)}}<p class="done" role="status">{{summary}}</p>{{/empty(results)}}
    <ul class="uploads">{{#results}}<li>{{#added}}<div class="came">\#
    <img src="/{{#isVideo}}thumbnails{{/isVideo}}{{^isVideo}}waveforms{{/isVideo}}/{{id}}" alt="" \#
    {{^isVideo}} class="wave"{{/isVideo}}>\#
    <p><a class="play" href="/recordings/{{id}}?play">{{shown}}</a>\#
    <span class="detail">{{sentence}}</span></p></div>\#
    {{#next}}<p><a class="button" href="{{.}}">Continue</a></p>{{/next}}\#
    {{^next}}{{^isKnown}}<details class="naming"{{#isOne}} open{{/isOne}}>\#
    <summary>Name it</summary>\#
    <form method="post" action="/recordings/{{id}}/title" class="row">\#(naming)</form></details>\#
    {{/isKnown}}{{/next}}{{/added}}\#
    {{^added}}<p>{{name}}</p>\#
    <p{{#isRefused}} role="alert"{{/isRefused}}>{{sentence}}</p>{{/added}}\#
    {{#choice}}<form method="post" action="{{.}}" class="row">\#(choice)</form>{{/choice}}</li>\#
    {{/results}}{{^results}}<li><p>No file was chosen.</p></li>{{/results}}</ul>
    """#)
}
