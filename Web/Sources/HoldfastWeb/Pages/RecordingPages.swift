import Foundation
import Holdfast
import Hummingbird
import Synchronization

/// The list of recordings, and the page of each.
struct RecordingPages: Sendable {
  let host: LibraryHost
  let others: [any LibraryPages]
  private let plays = PlayCounter()

  init(host: LibraryHost, others: [any LibraryPages]) {
    self.host = host
    self.others = others
  }

  func add(to router: Router<WebContext>) {
    router.get("/recordings") { request, _ in try await list(request) }
    router.get("/recordings/:id") { request, context in
      let asked = Set(request.uri.query?.split(separator: "&") ?? [])
      let start = request.fields["at"].flatMap { Double($0) } ?? 0
      return try await show(
        context.id("id"), asCopy: asked.contains("copy"), playing: asked.contains("play"),
        from: start)
    }
    router.form("/recordings/:id", host) { library, id, form in
      let purpose = try form["purpose"].map(RecordingPurpose.init(named:))
      _ = try library.editRecording(id: id) { recording in
        recording.title = form["title"]
        recording.notes = form["notes"]
        if let purpose { recording.purpose = purpose }
      }
      return "/recordings/\(id)"
    }
    router.post("/recordings/:id/plays/:play") { _, context in
      let (id, play) = (try context.id("id"), try context.id("play"))
      _ = try await plays.count(play, of: id, host)
      return Response(status: .noContent)
    }
  }

  // MARK: The list

  private static let pageLength = 48

  private struct ListValues: Sendable {
    var recordings: [RecordingCard]
    var search: String
    var types: [Choice]
    var purposes: [Choice]
    var sorts: [Choice]
    var next: String?
    var previous: String?
    var isFiltered: Bool
  }

  private func list(_ request: Request) async throws -> Response {
    let fields = request.fields
    let (search, type, purpose) = (fields["q"], fields["type"], fields["purpose"])
    let sort = try fields["sort"].map { text in
      guard let sort = RecordingQuery.Sort(rawValue: text) else {
        throw WebProblem(.unprocessableContent, "invalidValue", "recordings have no such order")
      }
      return sort
    }
    let page = max(fields["page"].flatMap { Int($0) } ?? 1, 1)
    guard page < 1_000_000 else { throw WebProblem.notFound }
    var query = RecordingQuery(
      type: try type.map(RecordingType.init(named:)),
      purpose: try purpose.map(RecordingPurpose.init(named:)), search: search,
      sort: sort ?? .recent, limit: Self.pageLength + 1)
    query.offset = (page - 1) * Self.pageLength
    let (found, hits) = try await host.read { [query] library in
      let found = try library.recordings(matching: query)
      let page = found.prefix(Self.pageLength).map(\.id)
      return (found, try library.spokenHits(of: search ?? "", in: page, limit: 1))
    }
    func link(_ page: Int) -> String {
      let fields = [
        ("q", search), ("type", type), ("purpose", purpose), ("sort", sort?.rawValue),
        ("page", "\(page)"),
      ]
      let text = fields.compactMap { name, value in
        value.map { "\(name)=\($0.addingPercentEncoding)" }
      }
      return "/recordings?\(text.joined(separator: "&"))"
    }
    func options<Word: RawRepresentable<String>>(_ all: [Word], _ chosen: String?) -> [Choice] {
      all.map {
        Choice($0.rawValue, $0.rawValue.capitalized, isChosen: $0.rawValue == chosen)
      }
    }
    let values = ListValues(
      recordings: found.prefix(Self.pageLength).map { RecordingCard($0, hits[$0.id]?.first) },
      search: search ?? "",
      types: options(RecordingType.allCases, type),
      purposes: options(RecordingPurpose.allCases, purpose),
      sorts: options(RecordingQuery.Sort.allCases, query.sort.rawValue),
      next: found.count > Self.pageLength ? link(page + 1) : nil,
      previous: page > 1 ? link(page - 1) : nil,
      isFiltered: search != nil || type != nil || purpose != nil)
    return Page("Recordings", .recordings, Self.listTemplate, values).response
  }

  private static let listTemplate = Page.template(
    #"""
    <form method="get" action="/recordings" class="filters" role="search">
    <label class="hidden" for="q">Search</label>\#
    <input type="search" id="q" name="q" value="{{search}}" placeholder="Search titles, notes and spoken words">
    <label class="hidden" for="type">Kind</label><select id="type" name="type">\#
    <option value="">All kinds</option>\#(Choice.options("types"))</select>
    <label class="hidden" for="purpose">Purpose</label><select id="purpose" name="purpose">\#
    <option value="">Any purpose</option>\#(Choice.options("purposes"))</select>
    <label class="hidden" for="sort">Order</label><select id="sort" name="sort">\#
    \#(Choice.options("sorts"))</select>
    <button class="button quiet">Show</button></form>
    <p><a class="button" href="/record">New</a></p>
    {{^recordings}}{{#isFiltered}}<p>No recordings match. \#
    <a href="/recordings">Show all</a></p>{{/isFiltered}}
    {{^isFiltered}}<p>No recordings yet. The first one can be short: why you \#
    stopped.</p>{{/isFiltered}}{{/recordings}}
    <ul class="cards">{{#recordings}}{{{html}}}{{/recordings}}</ul>
    <p class="pages">{{#previous}}<a href="{{.}}" rel="prev">Newer</a>{{/previous}} {{#next}}\#
    <a href="{{.}}" rel="next">More</a>{{/next}}</p>
    """#)

  // MARK: One recording

  private struct ShowValues: Sendable {
    var recording: Recording
    var play: String
    var isVideo: Bool
    var type: String
    var source: String
    /// Whether it plays at once, because the user tapped on it.
    var isPlaying: Bool
    /// Whether the page plays the copy for browsers.
    var isCopy: Bool
    var when: String
    var length: String
    var plays: String
    var fileName: String?
    var next: String?
    var purposes: [Choice]
    /// What was said, as HTML, and the language of the captions.
    var said: String
    var captions: String?
    var parts: [LibraryPages.RecordingParts]
  }

  /// - Parameter start: Where the player begins, in seconds.
  private func show(
    _ id: UUID, asCopy: Bool, playing: Bool, from start: Double
  ) async throws -> Response {
    let values = try await host.read { library in
      let recording = try library.recording(idPrefix: id.uuidString)
      let next = try library.recordings(matching: RecordingQuery(sort: .played, limit: 2)).first {
        $0.id != recording.id
      }
      let codecs = recording.ingestion.codecs
      let type = recording.type == .video ? "video/mp4" : "audio/mp4"
      let isCopy = try asCopy && library.openPlayableCopy(of: recording) != nil
      // A fragment that every browser's player understands.
      let place = (0.1..<86_400).contains(start) ? "#t=\(start)" : ""
      let said = TranscriptSection(of: recording, try library.transcript(of: recording.id))
      let names = [codecs.video, codecs.audio].compactMap(\.self).joined(separator: ", ")
      return ShowValues(
        recording: recording, play: UUID().uuidString, isVideo: recording.type == .video,
        type: isCopy || names.isEmpty ? type : "\(type); codecs=\"\(names)\"",
        source: "/media/\(recording.id)\(isCopy ? "/copy" : "")\(place)",
        isPlaying: playing, isCopy: isCopy,
        when: recording.recorded.words, length: recording.duration.clockDuration,
        plays: recording.plays, fileName: recording.tellingFileName,
        next: next.map { "/recordings/\($0.id)" },
        purposes: RecordingPurpose.allCases.map {
          Choice($0.rawValue, $0.rawValue.capitalized, isChosen: $0 == recording.purpose)
        }, said: said.html, captions: said.captions,
        parts: try others.map { try $0.parts(of: recording, in: library) })
    }
    return Page(values.recording.displayTitle, .recordings, Self.showTemplate, values).response
  }

  private static let showTemplate = Page.template(
    #"""
    <div class="player" data-player \#
    data-plays="/recordings/{{recording.id}}/plays/{{play}}"{{^isCopy}} \#
    data-copy="{{recording.id}}"{{/isCopy}}>
    {{#isVideo}}<video controls preload="metadata" playsinline \#
    poster="/thumbnails/{{recording.id}}" src="{{source}}"{{#isPlaying}} autoplay{{/isPlaying}} \#
    data-type="{{type}}">{{#captions}}<track kind="captions" label="Captions" srclang="{{.}}" \#
    src="/media/{{recording.id}}/captions">{{/captions}}</video>{{/isVideo}}
    {{^isVideo}}<div class="waveform">\#
    <img src="/waveforms/{{recording.id}}" alt="" data-scrub></div>
    <audio controls preload="metadata" src="{{source}}"{{#isPlaying}} autoplay{{/isPlaying}} \#
    data-type="{{type}}"></audio>{{/isVideo}}
    <p class="controls" data-controls hidden>
    <button type="button" data-skip="-15">15 s back</button>
    <button type="button" data-skip="15">15 s forward</button>
    <label>Speed <select data-speed><option value="0.75">0.75×</option>\#
    <option value="1" selected>1×</option><option value="1.25">1.25×</option>\#
    <option value="1.5">1.5×</option><option value="2">2×</option></select></label>
    {{#next}}<a class="button quiet" href="{{.}}">Next</a>{{/next}}</p>
    <p role="status" data-copying hidden>\#
    <span>This browser cannot play it as it is. A copy that it can play is being made…</span>
    <progress max="1" value="0" aria-label="The copy"></progress></p>
    <p role="alert" data-unplayable hidden>This browser cannot play this recording. \#
    <a href="/media/{{recording.id}}?download">Save it</a> to play it with another program.</p>
    </div>
    <p class="detail">{{when}} · {{length}} · {{plays}}{{#parts}}\#
    {{#detail}} · {{.}}{{/detail}}{{/parts}}{{#fileName}} · {{.}}{{/fileName}}</p>
    {{#recording.notes}}<p class="notes">{{.}}</p>{{/recording.notes}}
    {{{said}}}
    <details><summary>Edit</summary>
    <form method="post" action="/recordings/{{recording.id}}" class="form">
    <label for="title">Title</label>\#
    <input id="title" name="title" maxlength="200" value="{{recording.title}}">
    <label for="notes">Notes</label>\#
    <textarea id="notes" name="notes" rows="4" maxlength="5000">{{recording.notes}}</textarea>
    <label for="purpose">Purpose</label><select id="purpose" name="purpose">\#
    \#(Choice.options("purposes"))</select>
    <p class="submit"><button class="button">Keep changes</button></p></form></details>
    {{#parts}}{{{html}}}{{/parts}}
    {{^isCopy}}<details><summary>Trouble playing?</summary>
    <p>Holdfast can make a copy that nearly every browser plays. The recording itself stays as it \#
    is.</p>
    <form method="post" action="/recordings/{{recording.id}}/copy">\#
    <button class="button quiet">Make that copy</button></form></details>{{/isCopy}}
    <ul class="menu">{{#isVideo}}<li>\#
    <a href="/recordings/{{recording.id}}/picture">Change thumbnail</a></li>{{/isVideo}}
    <li><a href="/media/{{recording.id}}?download">Save a copy</a></li>
    <li><a class="danger" href="/recordings/{{recording.id}}/delete">Delete…</a></li></ul>
    """#)
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
