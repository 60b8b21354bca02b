import Foundation
package import Holdfast
import Hummingbird
import Mustache

/// Home, and Welcome for an empty library.
struct HomePages: Sendable {
  let host: LibraryHost
  let journals: JournalSettings
  let others: [any LibraryPages]
  let first: FirstLibrary

  func add(to router: Router<WebContext>) {
    router.get("/") { request, _ in
      try await home(request.visit, hasSkipped: request.cookies[Self.skipped] != nil)
    }
    router.post("/welcome/skip") { _, _ in
      var response = Page.redirect(to: "/")
      // A cookie keeps which hints were read, because that does not belong in the library.
      response.headers[.setCookie] = "\(Self.skipped)=1; Path=/; HttpOnly; SameSite=Strict"
      return response
    }
  }

  private static let skipped = "welcome"

  private struct Values: Sendable {
    var isNew: Bool
    var top: String
    var recordings: [RecordingCard]
    var journals: [JournalSettings.Shown]
    var bottom: String
    var shown: [@Sendable () -> Void]
  }

  private func home(_ visit: Visit, hasSkipped: Bool) async throws -> Response {
    if first.isOffered { return first.response }
    let values = try await host.read { library in
      let recordings = try library.quickRecordings(limit: 3)
      let enabled = try journals.all(in: library).filter(\.isEnabled)
      let parts = try others.map { try $0.home(in: library, for: visit) }
      let isEmpty = recordings.isEmpty && enabled.isEmpty && parts.allSatisfy(\.isEmpty)
      return Values(
        isNew: isEmpty && !hasSkipped, top: parts.map(\.top).joined(),
        recordings: try library.cards(of: recordings), journals: enabled,
        bottom: parts.map(\.bottom).joined(), shown: parts.map(\.shown))
    }
    if values.isNew {
      var page = Page("Welcome", tab: .home, template: Self.welcome, values: values)
      page.parent = nil
      return page.response
    }
    return Page("Home", tab: .home, template: Self.template, values: values).response.then {
      for shown in values.shown { shown() }
    }
  }

  private static let welcome = Page.template(
    #"""
    <p class="lead">Holdfast keeps the recordings that you will need one day, and what you log in
    hard moments. Everything stays on this computer.</p>
    <ul class="choices">
    <li><a class="card" href="/craving"><strong>Log a craving</strong>\#
    <span>It takes ten seconds.</span></a></li>
    <li><a class="card" href="/record"><strong>Keep a recording</strong>\#
    <span>Why you stopped, in your own words.</span></a></li>
    <li><a class="card" href="/progress"><strong>See what helped</strong>\#
    <span>This fills in as you log.</span></a></li>
    </ul>
    <form method="post" action="/welcome/skip"><button class="link">Skip this</button></form>
    """#)

  private static let template = Page.template(
    #"""
    {{{top}}}
    <section aria-labelledby="play"><h2 id="play">Quick play</h2>
    {{^empty(recordings)}}<ul class="cards quick">\#
    {{#recordings}}{{{html}}}{{/recordings}}</ul>{{/empty(recordings)}}
    {{^recordings}}<p>A recording that you make on a good day can help on a hard \#
    one.</p>{{/recordings}}
    <div class="actions"><a class="button quiet" href="/record">\#
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="6" \#
    fill="currentColor"/></svg> Record</a> {{{bottom}}}</div>
    </section>
    {{^empty(journals)}}<section aria-labelledby="journals"><h2 id="journals">Journals</h2>
    <p class="row">{{#journals}}<a class="button quiet" \#
    href="{{path}}">{{title}}</a>{{/journals}}</p></section>{{/empty(journals)}}
    """#)
}

package struct RecordingCard: Sendable {
  let html: String

  /// - Parameters:
  ///   - firstWords: What is shown in place of a title.
  ///   - hit: Where words of a search were said in it.
  ///   - isTwin: Whether another card has the same title.
  fileprivate init(
    _ recording: Recording, firstWords: FirstWords?, hit: SpokenHit?, isTwin: Bool
  ) {
    html = Self.template.render(
      Values(
        id: recording.id.uuidString,
        title: firstWords.map { "“\($0.text)”" } ?? recording.displayTitle,
        isVideo: recording.type == .video,
        facts: recording.facts(
          hasDate: firstWords == nil && recording.isNamedByDate, isTwin: isTwin),
        isByComputer: firstWords?.isByComputer == true || hit?.isByComputer == true,
        hit: hit.map(Hit.init)))
  }

  private struct Hit {
    var time: String
    /// Where the player begins: a little before the words, in seconds.
    var start: Double
    var pieces: [Piece]

    init(_ hit: SpokenHit) {
      let seconds = Double(hit.startTime) / 1000
      time = seconds.clockTime
      start = max(0, seconds - 2)
      pieces = hit.pieces.map { Piece(text: $0.text, isFound: $0.isFound) }
    }
  }

  private struct Piece {
    var text: String
    var isFound: Bool
  }

  private struct Values {
    var id: String
    var title: String
    var isVideo: Bool
    var facts: [String]
    /// Whether a computer wrote the words that are shown, which may be wrong.
    var isByComputer: Bool
    var hit: Hit?
  }

  private static let template = Page.template(
    #"""
    <li class="recording"><a href="/recordings/{{id}}?play{{#hit}}&amp;at={{start}}{{/hit}}">
    {{#isVideo}}<img src="/thumbnails/{{id}}" alt="" loading="lazy">{{/isVideo}}
    {{^isVideo}}<img src="/waveforms/{{id}}" alt="" loading="lazy" class="wave">{{/isVideo}}
    <span class="title">{{title}}</span>
    <span class="detail"><span class="facts">{{#facts}}<span>{{.}}</span> {{/facts}}</span></span>\#
    {{#hit}}<span class="detail hit">{{time}} {{#pieces}}\#
    {{#isFound}}<mark>{{text}}</mark>{{/isFound}}\#
    {{^isFound}}{{text}}{{/isFound}}{{/pieces}}</span>{{/hit}}\#
    {{#isByComputer}}<span class="detail">A computer’s words</span>{{/isByComputer}}</a></li>
    """#)
}

extension Recording {
  /// The original file name of a recording without a title, if it tells the recording from others.
  ///
  /// - Parameter isTwin: Whether another recording beside it has the same name. Otherwise a file
  ///   name that is only a date or a long number says nothing.
  func tellingFileName(isTwin: Bool = false) -> String? {
    let name = ingestion.originalFilename
    // The page itself gives its recordings these names.
    let isNamedByPage = ["recording.mp4", "recording.webm"].contains(name)
    // A part of a recording has its number in brackets.
    let shown = displayTitle.split(separator: "(").first ?? ""
    let isTitle = name.filter(\.isLetter).hasPrefix(shown.filter(\.isLetter))
    let isShort = name.count <= 24 && name.count(where: \.isNumber) <= 6
    return title?.nonBlank != nil || isRebuilt || isNamedByPage || isTitle || !(isShort || isTwin)
      ? nil : name
  }

  /// Whether its shown name is its kind and its time.
  var isNamedByDate: Bool {
    title?.nonBlank == nil && displayTitle.hasPrefix("\(kindName), ") && displayTitle.contains(":")
  }

  var kindName: String { type == .video ? "Video" : "Sound" }

  /// What is said below its name: when, how long, how often played.
  ///
  /// - Parameters:
  ///   - hasDate: Whether the name that is shown already says when.
  ///   - hasPlays: Whether it says how often the recording was played.
  func facts(hasDate: Bool, hasPlays: Bool = true, isTwin: Bool = false) -> [String] {
    [
      hasDate ? nil : recorded.words, duration.clockDuration,
      hasPlays && playCount > 0 ? plays : nil,
      tellingFileName(isTwin: isTwin),
    ].compactMap(\.self)
  }
}

extension Library {
  private static let considered = 24

  /// Returns the cards of a page's recordings.
  ///
  /// - Parameter hits: Where words of a search were said. The first line of each is shown.
  package func cards(
    of recordings: some Collection<Recording>, hits: [RecordingID: [SpokenHit]] = [:]
  ) throws -> [RecordingCard] {
    let firstWords = try shownFirstWords(of: recordings)
    let titles = Dictionary(grouping: recordings, by: \.displayTitle)
    return recordings.map {
      RecordingCard(
        $0, firstWords: firstWords[$0.id], hit: hits[$0.id]?.first,
        isTwin: titles[$0.displayTitle, default: []].count > 1)
    }
  }

  /// The recordings for a hard moment: the most played ones, then those with a title or words,
  /// motivational ones first, then the others.
  ///
  /// Only some of the others are read.
  package func quickRecordings(limit: Int) throws -> [Recording] {
    let played = try recordings(matching: RecordingQuery(sort: .played, limit: limit)).filter {
      $0.playCount > 0
    }
    guard played.count < limit else { return played }
    let others = try [RecordingPurpose?.some(.motivational), nil].flatMap { purpose in
      try recordings(
        matching: RecordingQuery(purpose: purpose, sort: .played, limit: Self.considered))
    }
    let telling = try others.filter { recording in
      try recording.title?.nonBlank != nil
        || transcript(of: recording.id)?.segments.isEmpty == false
    }
    var chosen = played
    for recording in telling + others where !chosen.contains(where: { $0.id == recording.id }) {
      chosen.append(recording)
    }
    return Array(chosen.prefix(limit))
  }
}

extension Recording {
  var plays: String { playCount.counted("play") }
}
