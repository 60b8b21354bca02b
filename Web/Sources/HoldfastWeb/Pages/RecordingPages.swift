import Foundation
import Holdfast
import Hummingbird
import Synchronization

/// The page of each recording.
struct RecordingPages: Sendable {
  let host: LibraryHost
  let others: [any LibraryPages]
  let journals: [any JournalPages.Type]
  private let plays = PlayCounter()

  init(host: LibraryHost, others: [any LibraryPages], journals: [any JournalPages.Type]) {
    self.host = host
    self.others = others
    self.journals = journals
  }

  func add(to router: Router<WebContext>) {
    router.get("/recordings/:id") { request, context in
      let asked = Set(request.uri.query?.split(separator: "&") ?? [])
      let start = request.fields["at"].flatMap { Double($0) } ?? 0
      let notice = asked.contains("added") ? Notice.recordingAdded : Notice.shown
      return try await Notice.$shown.withValue(notice) {
        try await show(
          context.id("id"), asCopy: asked.contains("copy"), playing: asked.contains("play"),
          from: start)
      }
    }
    router.form("/recordings/:id/title", host: host, saying: .saved) { library, id, form in
      _ = try library.editRecording(id: id) { $0.title = form["title"] }
      return "/recordings/\(id)"
    }
    router.form("/recordings/:id", host: host, saying: .saved) { library, id, form in
      let purpose = try form["purpose"].map(RecordingPurpose.init(named:))
      _ = try library.editRecording(id: id) { recording in
        try form.expect(recording.version)
        recording.title = form["title"]
        recording.notes = form["notes"]
        if let purpose { recording.purpose = purpose }
      }
      return "/recordings/\(id)"
    }
    router.post("/recordings/:id/plays/:play") { _, context in
      let (id, play) = (try context.id("id"), try context.id("play"))
      let recording = try await plays.count(play, of: id, host)
      return Response(
        status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: recording.plays)))
    }
  }

  private struct Values: Sendable {
    var recording: Recording
    /// The name that is shown.
    var name: String
    var version: String
    var play: String
    var isVideo: Bool
    /// The size of the picture as it is shown, so that the page does not move when it is loaded.
    var size: PictureSize?
    var isPortrait: Bool
    var type: String
    var source: String
    /// Whether it plays at once, because the user tapped on it.
    var isPlaying: Bool
    /// Whether the page plays the copy for browsers.
    var isCopy: Bool
    var length: String
    var facts: [String]
    var plays: String
    var next: Next?
    var purposes: [Choice]
    /// What was said, as HTML, and the language of the captions.
    var said: String
    var captions: String?
    var parts: [LibraryPages.RecordingParts]
    var links: [RecordLink]
  }

  private struct Next: Sendable {
    var id: String
    var title: String

    init(_ recording: Recording) {
      id = recording.id.uuidString
      title = recording.displayTitle
    }
  }

  /// - Parameter start: Where the player begins, in seconds.
  private func show(
    _ id: UUID, asCopy: Bool, playing: Bool, from start: Double
  ) async throws -> Response {
    let values = try await host.read { library in
      let recording = try library.recording(idPrefix: id.uuidString)
      let codecs = recording.ingestion.codecs
      let type = recording.type == .video ? "video/mp4" : "audio/mp4"
      let isCopy = try asCopy && library.openPlayableCopy(of: recording) != nil
      // A fragment that every browser's player understands.
      let place = (0.1..<86_400).contains(start) ? "#t=\(start)" : ""
      let said = TranscriptSection(of: recording, try library.transcript(of: recording.id))
      let names = [codecs.video, codecs.audio].compactMap(\.self).joined(separator: ", ")
      return Values(
        recording: recording, name: recording.displayTitle, version: recording.version,
        play: UUID().uuidString,
        isVideo: recording.type == .video,
        size: recording.shownSize,
        isPortrait: recording.shownSize.map { $0.height > $0.width } ?? false,
        type: isCopy || names.isEmpty ? type : "\(type); codecs=\"\(names)\"",
        source: "/media/\(recording.id)\(isCopy ? "/copy" : "")\(place)",
        isPlaying: playing, isCopy: isCopy,
        length: recording.duration.clockDuration,
        facts: recording.facts(hasDate: recording.isNamedByDate, hasPlays: false),
        plays: recording.playCount > 0 ? recording.plays : "",
        next: try library.recording(after: recording).map(Next.init),
        purposes: RecordingPurpose.allCases.map {
          Choice($0.rawValue, $0.rawValue.capitalized, isChosen: $0 == recording.purpose)
        }, said: said.html, captions: said.captions,
        parts: try others.map { try $0.parts(of: recording, in: library) },
        links: try library.links(to: recording.id, limit: 50).flatMap(\.records).compactMap {
          record in journals.lazy.compactMap { $0.link(to: record) }.first
        })
    }
    return Page(
      values.name, tab: .recordings, template: Self.template, values: values
    ).response
  }

  private static let template = Page.template(
    #"""
    <div class="player" data-player \#
    data-plays="/recordings/{{recording.id}}/plays/{{play}}"{{^isCopy}} \#
    data-copy="{{recording.id}}"{{/isCopy}}>
    {{#isVideo}}<video controls preload="metadata" playsinline \#
    class="{{#isPortrait}}portrait{{/isPortrait}}"\#
    {{#size}} width="{{width}}" height="{{height}}"{{/size}} \#
    poster="/thumbnails/{{recording.id}}" src="{{source}}"{{#isPlaying}} autoplay{{/isPlaying}} \#
    data-type="{{type}}">{{#captions}}<track kind="captions" label="Captions" srclang="{{.}}" \#
    src="/media/{{recording.id}}/captions">{{/captions}}</video>{{/isVideo}}
    {{^isVideo}}<audio controls preload="metadata" src="{{source}}"\#
    {{#isPlaying}} autoplay{{/isPlaying}} data-type="{{type}}"></audio>{{/isVideo}}
    <div class="needs-script" data-controls>
    <div class="scrub"><img src="/waveforms/{{recording.id}}" alt="">\#
    <img src="/waveforms/{{recording.id}}" alt="" class="past" data-past>\#
    <input type="range" min="0" max="{{recording.duration}}" step="0.01" value="0" \#
    aria-label="Position" data-position></div>
    <p class="times"><span data-now>0:00</span><span>{{length}}</span></p>
    <p class="main-controls">\#
    <button type="button" class="quiet" data-skip="-15" aria-label="15 seconds back">−15</button>
    <button type="button" class="toggle" aria-label="Play" data-toggle>\#
    \#(Icon.play)\#(Icon.pause)</button>
    <button type="button" class="quiet" data-skip="15" aria-label="15 seconds forward">+15</button>
    </p>
    <p class="controls"><label>Speed <select data-speed><option value="0.75">0.75×</option>\#
    <option value="1" selected>1×</option><option value="1.25">1.25×</option>\#
    <option value="1.5">1.5×</option><option value="2">2×</option></select></label>
    <label class="volume">Volume \#
    <input type="range" min="0" max="1" step="0.05" value="1" data-volume></label>
    {{#isVideo}}{{#captions}}<button type="button" aria-pressed="false" data-captions>\#
    Captions</button>{{/captions}}
    <button type="button" data-whole>Full screen</button>{{/isVideo}}</p></div>
    <p role="status" data-copying hidden>\#
    <span>This browser cannot play it as it is. A copy that it can play is being made…</span>
    <progress max="1" value="0" aria-label="The copy"></progress></p>
    <p role="alert" data-unplayable hidden>This browser cannot play this recording. \#
    <a href="/media/{{recording.id}}?download">Save it</a> to play it with another program.</p>
    </div>
    <p class="detail facts">{{#facts}}<span>{{.}}</span> {{/facts}}\#
    <span data-played>{{plays}}</span> \#
    {{#parts}}{{#detail}}<span><a href="#helped">{{.}}</a></span>{{/detail}}{{/parts}}</p>
    {{#recording.notes}}<p class="notes">{{.}}</p>{{/recording.notes}}
    {{#next}}<p><a class="button quiet next" href="/recordings/{{id}}?play">\#
    <span>Next</span> <span class="detail">{{title}}</span></a></p>{{/next}}
    {{{said}}}
    <div class="rows">{{#parts}}{{{html}}}{{/parts}}
    {{^empty(links)}}<section><h2>Belongs to</h2><ul class="entries">{{#links}}\#
    <li><a href="{{path}}">{{text}}</a></li>{{/links}}</ul></section>{{/empty(links)}}
    <details><summary>Edit</summary>
    <form method="post" action="/recordings/{{recording.id}}" class="form">
    <input type="hidden" name="version" value="{{version}}">\#
    <label for="title">Title</label>\#
    <input id="title" name="title" maxlength="200" value="{{recording.title}}" \#
    placeholder="{{name}}">
    <label for="notes">Notes</label>\#
    <textarea id="notes" name="notes" rows="4" maxlength="5000">{{recording.notes}}</textarea>
    <label for="purpose">Purpose</label><select id="purpose" name="purpose">\#
    \#(Choice.options("purposes"))</select>
    <p class="submit"><button class="button">Keep changes</button></p></form></details>
    {{^isCopy}}<details><summary>Trouble playing?</summary>
    <p>Holdfast can make a copy that nearly every browser plays. The recording itself stays as it \#
    is.</p>
    <form method="post" action="/recordings/{{recording.id}}/copy">\#
    <button class="button quiet">Make that copy</button></form></details>{{/isCopy}}
    {{#isVideo}}<a href="/recordings/{{recording.id}}/picture">Change thumbnail</a>{{/isVideo}}
    <a href="/media/{{recording.id}}?download">Save a copy</a>
    <a class="danger" href="/recordings/{{recording.id}}/delete">Delete…</a></div>
    """#)
}

extension Recording {
  /// The size of the picture as it is shown; `nil` for sound.
  fileprivate var shownSize: PictureSize? {
    if let picture = ingestion.conversion?.check?.picture { return picture.displaySize }
    guard let width = ingestion.width, let height = ingestion.height else { return nil }
    return PictureSize(width: width, height: height)
  }
}

extension Library {
  /// Returns the next older recording, so that a user who goes on and on hears each once; after the
  /// oldest, the newest. It is `nil` for the only one.
  fileprivate func recording(after recording: Recording) throws -> Recording? {
    let date = recording.recorded.date
    let twins = try recordings(
      matching: RecordingQuery(since: date, until: date.addingTimeInterval(0.001)))
    let later = twins.drop { $0.id != recording.id }.dropFirst().first
    let next =
      try later ?? recordings(matching: RecordingQuery(until: date, limit: 1)).first
      ?? recordings(matching: RecordingQuery(limit: 1)).first
    return next?.id == recording.id ? nil : next
  }
}

/// The plays that were counted. A player may report a play several times under one ID: at its end,
/// when it is closed, and when its page vanishes.
final class PlayCounter: Sendable {
  private struct State {
    var counted: Set<UUID> = []
    var order: [UUID] = []
  }

  private static let most = 10_000
  private let state = Mutex(State())

  /// Counts a play of a recording, unless it was counted before.
  ///
  /// - Returns: The recording with its count.
  func count(_ play: UUID, of id: UUID, _ host: LibraryHost) async throws -> Recording {
    guard begin(play) else {
      return try await host.read { library in try library.recording(idPrefix: id.uuidString) }
    }
    do {
      return try await host.write { library in
        _ = try library.countPlay(id: id)
        return try library.recording(idPrefix: id.uuidString)
      }
    } catch {
      forget(play)
      throw error
    }
  }

  /// Notes a play. Returns whether it is new.
  private func begin(_ play: UUID) -> Bool {
    state.withLock { state in
      guard state.counted.insert(play).inserted else { return false }
      state.order.append(play)
      if state.order.count > Self.most { state.counted.remove(state.order.removeFirst()) }
      return true
    }
  }

  /// Forgets a play that could not be counted, so that a later report counts.
  private func forget(_ play: UUID) { state.withLock { _ = $0.counted.remove(play) } }
}
