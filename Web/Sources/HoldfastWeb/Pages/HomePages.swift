internal import Foundation
internal import Holdfast
internal import Hummingbird
internal import Mustache

/// Home, and Welcome for a library in which there is nothing yet.
struct HomePages: Sendable {
  let host: LibraryHost
  let journals: JournalSettings

  func add(to router: Router<WebContext>) {
    router.get("/") { request, _ in try await home(request.cookies[Self.skipped] != nil) }
    router.post("/welcome/skip") { _, _ in
      var response = Page.redirect(to: "/")
      // Which hints somebody has read is no part of the library.
      response.headers[.setCookie] = "\(Self.skipped)=1; Path=/; HttpOnly; SameSite=Strict"
      return response
    }
    router.post("/messages/next") { request, context in
      let form = try await Form(request, context)
      if let id = form["id"].flatMap(UUID.init(uuidString:)) {
        try await host.write { library in _ = try library.countShowing(id: id) }
      }
      return Page.redirect(to: form.back)
    }
  }

  private static let skipped = "welcome"

  private struct Values: Sendable {
    var isNew: Bool
    var message: ShownMessage?
    var recordings: [RecordingCard]
    var hasRecordings: Bool
    var journals: [JournalSettings.Shown]
    var hasJournals: Bool
  }

  private func home(_ hasSkipped: Bool) async throws -> Response {
    let values = try await host.read { library in
      let recordings = try library.quickRecordings(limit: 3)
      let enabled = try journals.all(in: library).filter(\.isEnabled)
      let isEmpty =
        try recordings.isEmpty && enabled.isEmpty && library.recentCravings(limit: 1).isEmpty
        && library.recentUsage(limit: 1).isEmpty
      return Values(
        isNew: isEmpty && !hasSkipped, message: try ShownMessage.next(for: .urge, in: library),
        recordings: recordings.map(RecordingCard.init), hasRecordings: !recordings.isEmpty,
        journals: enabled, hasJournals: !enabled.isEmpty)
    }
    if values.isNew { return Page("Welcome", .home, Self.welcome, values).response }
    return Page("Home", .home, Self.template, values).response
  }

  private static let welcome = Page.template(
    #"""
    <p class="lead">Holdfast keeps the recordings that you will need one day, and what you log in hard
    moments. Everything stays on this computer.</p>
    <ul class="choices">
    <li><a class="card" href="/craving"><strong>Log a craving</strong><span>It takes ten seconds.</span></a></li>
    <li><a class="card" href="/record"><strong>Keep a recording</strong><span>Why you stopped, in your own words.</span></a></li>
    <li><a class="card" href="/progress"><strong>See what helped</strong><span>It fills as you log.</span></a></li>
    </ul>
    <form method="post" action="/welcome/skip"><button class="link">Skip this</button></form>
    """#)

  private static let template = Page.template(
    #"""
    <div class="actions">
    <a class="button large" href="/craving">Log craving</a>
    <a class="button large quiet" href="/use">Log use</a>
    </div>
    {{#message}}{{{html}}}{{/message}}
    <section aria-labelledby="play"><h2 id="play">Quick play</h2>
    {{#hasRecordings}}<ul class="cards">{{#recordings}}{{{html}}}{{/recordings}}</ul>{{/hasRecordings}}
    {{^hasRecordings}}<p>A recording that you make on a good day can help on a hard one.</p>{{/hasRecordings}}
    <p><a class="button quiet" href="/record">Record new</a></p>
    </section>
    {{#hasJournals}}<section aria-labelledby="journals"><h2 id="journals">Journals</h2>
    <p class="row">{{#journals}}<a class="button quiet" href="{{path}}">{{title}}</a>{{/journals}}</p></section>{{/hasJournals}}
    <p><a href="/history">What you logged</a></p>
    """#)
}

/// A kind message on a page.
struct ShownMessage: Sendable {
  let html: String

  /// The message to show; `nil` if all are hidden.
  static func next(for category: MessageCategory, in library: Library) throws -> ShownMessage? {
    do {
      return ShownMessage(try library.nextMessage(for: category))
    } catch LibraryError.Code.noMessage {
      return nil
    }
  }

  private init(_ message: Message) {
    html = Self.template.render(["id": message.id.uuidString, "text": message.content])
  }

  private static let template = Page.template(
    #"""
    <section class="card message" aria-label="A kind word"><p>{{text}}</p>
    <form method="post" action="/messages/next"><input type="hidden" name="id" value="{{id}}">
    <button class="link">Another one</button></form></section>
    """#)
}

/// A recording in a list.
struct RecordingCard: Sendable {
  let html: String

  init(_ recording: Recording) {
    html = Self.template.render(
      Values(
        id: recording.id.uuidString, title: recording.displayTitle,
        isVideo: recording.type == .video, when: recording.recorded.displayDate,
        length: recording.duration.clockDuration, plays: recording.plays,
        fileName: recording.tellingFileName))
  }

  private struct Values {
    var id: String
    var title: String
    var isVideo: Bool
    var when: String
    var length: String
    var plays: String
    var fileName: String?
  }

  private static let template = Page.template(
    #"""
    <li class="recording"><a href="/recordings/{{id}}?play">
    {{#isVideo}}<img src="/thumbnails/{{id}}" alt="" loading="lazy">{{/isVideo}}
    {{^isVideo}}<img src="/waveforms/{{id}}" alt="" loading="lazy" class="wave">{{/isVideo}}
    <span class="title">{{title}}</span>
    <span class="detail">{{when}} · {{length}} · {{plays}}{{#fileName}} · {{.}}{{/fileName}}</span></a></li>
    """#)
}

extension Recording {
  /// The name of the file that a recording without a title came from. It may tell it from others.
  var tellingFileName: String? {
    let name = ingestion.originalFilename
    // The page itself calls what it has recorded so.
    let isNamedByPage = ["recording.mp4", "recording.webm"].contains(name)
    return title?.nonBlank != nil || isRebuilt || isNamedByPage ? nil : name
  }
}

extension Library {
  /// The recordings to be played in a hard moment: the most played ones, and until there are enough of them
  /// those that say why, before what was said for a journal.
  func quickRecordings(limit: Int) throws -> [Recording] {
    let played = try mostPlayedRecordings(limit: limit).filter { $0.playCount > 0 }
    let saying = try [RecordingPurpose?.some(.motivational), nil].flatMap { purpose in
      try recordings(matching: RecordingQuery(purpose: purpose, sort: .played, limit: limit))
    }
    var chosen = played
    for recording in saying where !chosen.contains(where: { $0.id == recording.id }) {
      chosen.append(recording)
    }
    return Array(chosen.prefix(limit))
  }
}

extension Recording {
  /// How often it was played, in words.
  var plays: String { playCount.counted("play") }
}
