import Foundation
import HTTPTypes
import Holdfast
import Hummingbird
import Mustache

/// Captions for a player, and what a person changes about a recording's transcript.
struct TranscriptPages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/media/:id/captions") { _, context in
      let id = try context.id("id")
      let transcript = try await host.read { try $0.transcript(of: id) }
      guard let transcript, transcript.state == .words else { throw WebProblem.notFound }
      let captions = Captions(transcript.segments, isByComputer: transcript.source != .person)
      return Response(
        status: .ok, headers: [.contentType: "text/vtt; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: captions.text(as: .vtt))))
    }
    router.form("/recordings/:id/transcript", host: host, saying: .saved) { library, id, form in
      try library.editTranscript(of: id) { transcript in
        let lines = form.all("said")
        try form.expect(transcript.version)
        guard lines.count == transcript.segments.count else { throw WebProblem.changed }
        transcript.segments = zip(transcript.segments, lines).compactMap { segment, line in
          segment.saying(line)
        }
      }
      return "/recordings/\(id)#said"
    }
    router.form("/recordings/:id/transcript/write", host: host, saying: .saved) {
      library, id, form in
      let recording = try library.recording(idPrefix: id.uuidString)
      try library.editTranscript(of: id) { transcript in
        guard transcript.segments.isEmpty else { throw WebProblem.changed }
        transcript.segments = try TranscriptLines.segments(
          from: form["words"] ?? "", duration: recording.duration)
        if transcript.segments.isEmpty { throw RuleError("there are no words yet; write some") }
      }
      return "/recordings/\(id)#said"
    }
    router.deletion(
      "/recordings/:id/transcript/delete", host: host, then: nil, saying: .wordsDeleted
    ) { library, id in
      try library.deleteTranscript(of: id)
    }
    router.button("/recordings/:id/transcript/never", host: host, saying: .saved) { library, id in
      // The page offers this only where no words would be deleted.
      guard try library.transcript(of: id)?.state != .words else { throw WebProblem.changed }
      try library.forbidTranscript(of: id)
      return "/recordings/\(id)#said"
    }
    router.button("/recordings/:id/transcript/allow", host: host, saying: .saved) { library, id in
      try library.allowTranscript(of: id)
      return "/recordings/\(id)#said"
    }
  }
}

extension WebProblem {
  fileprivate static let changed = WebProblem(
    .conflict, code: "changed", detail: "the words were changed meanwhile; open the page again")
}

extension TranscriptSegment {
  /// Returns the segment with another text, which keeps its time; `nil` for an empty text.
  fileprivate func saying(_ line: String) -> TranscriptSegment? {
    let line = line.cleanedLine
    guard line != text else { return self }
    guard line.nonBlank != nil else { return nil }
    return TranscriptSegment(startTime: startTime, endTime: endTime, text: line)
  }
}

/// The part of a recording's page with what was said in it, as HTML.
struct TranscriptSection {
  private struct Line {
    var number: Int
    var time: String
    var seconds: String
    var text: String
  }

  private struct Values {
    var id: String
    var language: String?
    var lines: [Line]
    var version: String
    /// Who wrote the words, or why there are none.
    var remark: String?
    /// Whether a person decided against a transcript.
    var isUnwanted: Bool
    /// Whether a program may write the words.
    var mayTranscribe: Bool
    var hasNone: Bool
  }

  let html: String
  /// The language of the captions; `nil` without captions, and empty if it is unknown.
  let captions: String?

  init(of recording: Recording, _ transcript: Transcript?) {
    let lines = (transcript?.segments ?? []).enumerated().map { number, segment in
      Line(
        number: number, time: (Double(segment.startTime) / 1000).clockTime,
        seconds: "\(Double(segment.startTime) / 1000)", text: segment.text)
    }
    captions = lines.isEmpty ? nil : transcript?.language ?? ""
    html = Self.template.render(
      Values(
        id: recording.id.uuidString, language: transcript?.language, lines: lines,
        version: transcript?.version ?? "", remark: Self.remark(transcript),
        isUnwanted: transcript.map { $0.isMark && $0.state != .allowed } == true,
        mayTranscribe: transcript.map { $0.state == .allowed } ?? true,
        hasNone: lines.isEmpty))
  }

  private static func remark(_ transcript: Transcript?) -> String? {
    switch (transcript?.state, transcript?.source) {
    case (.words, .person): nil
    case (.words, .phone): "Your phone wrote these words. They may be wrong."
    case (.words, _): "A computer wrote these words. They may be wrong."
    case (.silent, _): "No words were heard."
    case (.deleted, _): "You deleted its transcript."
    case (.never, _): "This recording is never transcribed."
    case (.allowed, _), (nil, _): "Nothing was written down yet."
    }
  }

  private static let template = Page.template(
    #"""
    {{^hasNone}}<section class="said" aria-labelledby="said"><h2 id="said">What was said</h2>
    {{#remark}}<p class="hint">{{.}}</p>{{/remark}}
    <ol{{#language}} lang="{{.}}"{{/language}}>{{#lines}}<li>\#
    <a href="/media/{{id}}#t={{seconds}}" data-at="{{seconds}}">\#
    <span class="time">{{time}}</span> <span>{{text}}</span></a></li>{{/lines}}</ol>
    <details><summary>Correct the words</summary>
    <form method="post" action="/recordings/{{id}}/transcript" class="form">
    <input type="hidden" name="version" value="{{version}}">
    <p class="hint">Each sentence keeps its time. Empty a field to remove the sentence.</p>
    {{#lines}}<label for="said-{{number}}">{{time}}</label>\#
    <textarea id="said-{{number}}" name="said" rows="3"{{#language}} lang="{{.}}"{{/language}}>\#
    {{text}}</textarea>{{/lines}}
    <p class="submit"><button class="button">Save</button></p></form>
    \#(Page.deletion(
      of: "/recordings/{{id}}/transcript", "Delete these words…", back: "/recordings/{{id}}"))
    </details></section>{{/hasNone}}
    {{#hasNone}}<details class="said"><summary id="said">What was said</summary>
    <p>{{remark}}</p>
    <form method="post" action="/recordings/{{id}}/transcript/write" class="form">
    <label for="words">Write it down yourself</label>
    <p class="hint" id="words-hint">A line for each sentence. You find the recording by these \#
    words, and they are its captions. A line may begin with its time, such as [0:42]. The times \#
    of other lines are estimates.</p>
    <textarea id="words" name="words" rows="4" required aria-describedby="words-hint">\#
    </textarea><p class="submit"><button class="button quiet">Save</button></p></form>
    {{#mayTranscribe}}<p class="hint">In a terminal, <code>holdfast transcribe</code> writes down \#
    what was said, on this computer.</p>{{/mayTranscribe}}
    {{#isUnwanted}}<form method="post" action="/recordings/{{id}}/transcript/allow"><p>\#
    <button class="button quiet">Allow a transcript</button></p></form>{{/isUnwanted}}
    {{^isUnwanted}}<form method="post" action="/recordings/{{id}}/transcript/never"><p>\#
    <button class="button quiet">Never transcribe it</button></p></form>{{/isUnwanted}}
    </details>{{/hasNone}}
    """#)
}
