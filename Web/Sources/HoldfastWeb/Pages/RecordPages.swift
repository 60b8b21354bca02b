import Holdfast
import Hummingbird

/// The page on which a recording is made, or files are chosen.
struct RecordPages: Sendable {
  let imports: Imports

  func add(to router: Router<WebContext>) {
    router.get("/record") { request, _ in
      let fields = request.fields
      let values = Values(then: fields.path("then"), kind: fields["kind"] ?? "")
      return Page("New recording", .recordings, Self.template, values).response
    }
    router.post("/record") { request, _ in try await upload(request) }
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
    <div data-step="choose"><p class="actions">\#
    <button type="button" class="large" data-kind="video">Record video</button>
    <button type="button" class="large" data-kind="audio">Record sound</button></p></div>
    <p role="alert" data-problem></p>
    <video data-preview hidden playsinline></video>
    <div data-step="ready" hidden>\#
    <p>Say something. If the line moves, your microphone works.</p>
    <p><button type="button" class="large" data-start>Start</button></p></div>
    <div data-step="recording" hidden><p class="timer" role="timer" data-timer>0:00</p>\#
    <p class="hint" data-left></p>
    <p><button type="button" class="large" data-stop>Stop</button></p></div>
    <canvas data-level hidden width="480" height="64" aria-hidden="true"></canvas>
    <div data-step="listen" hidden><video data-listen-video controls playsinline></video>\#
    <audio data-listen-audio controls></audio>
    <div class="form"><label for="title">Title</label><input id="title" data-title maxlength="40">
    <label for="notes">Notes</label>\#
    <textarea id="notes" data-notes maxlength="200" rows="2"></textarea>
    <label for="purpose">Purpose</label><select id="purpose" data-purpose>{{#purposes}}\#
    <option{{#isChosen}} selected{{/isChosen}}>{{name}}</option>{{/purposes}}</select>
    <p class="submit"><button type="button" data-keep>Keep</button>\#
    <button type="button" class="link danger" data-discard>Discard</button></p></div></div>
    </section>
    <section data-files><h2>Choose files</h2>
    <form method="post" action="/record{{#then}}?then={{.}}{{/then}}" \#
    enctype="multipart/form-data" class="form">
    <div class="drop"><label for="files">Choose recordings, or drop them here</label>
    <input type="file" id="files" name="files" multiple accept="video/*,audio/*"></div>
    <p data-without-script><button class="button">Keep them</button></p></form></section>
    <ul class="uploads" data-uploads aria-live="polite"></ul>
    <template data-upload><li><strong data-name></strong> <progress max="1" value="0"></progress>\#
    <div data-state></div></li></template>
    """#)

  // MARK: Without a script

  private struct Result: Sendable {
    var name: String
    var sentence: String
    var link: String?
    var next: String?
    var isRefused: Bool
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
        let outcome = await imports.result(of: upload, options)
        results.append(
          Result(
            name: name, sentence: outcome.sentence.asSentence,
            link: outcome.recording.map { "/recordings/\($0)" },
            next: outcome.recording.flatMap { id in then.map { "\($0)?recording=\(id)" } },
            isRefused: outcome.output.error != nil))
      } catch let error as HoldfastError {
        // Continue with the next file.
        results.append(
          Result(
            name: name, sentence: WebProblem(error).detail.asSentence, link: nil, next: nil,
            isRefused: true))
      }
    }
    return Page("New recordings", .recordings, Self.resultTemplate, ["results": results]).response
  }

  private static let resultTemplate = Page.template(
    #"""
    <ul class="entries">{{#results}}<li><p><strong>{{name}}</strong></p>\#
    <p{{#isRefused}} role="alert"{{/isRefused}}>{{sentence}} {{#link}}\#
    <a href="{{.}}">Play it</a>{{/link}}</p>{{#next}}<p>\#
    <a class="button" href="{{.}}">Go on with it</a></p>{{/next}}</li>{{/results}}
    {{^results}}<li><p>No file was chosen.</p></li>{{/results}}</ul>
    <p><a class="button" href="/recordings">Recordings</a></p>
    """#)
}
