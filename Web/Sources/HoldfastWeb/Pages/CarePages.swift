internal import Holdfast
internal import Hummingbird
internal import Mustache

/// Looking after the library: checking its files, and deleting everything.
struct CarePages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.post("/settings/verify") { _, _ in try await verify() }
    router.get("/settings/erase") { _, _ in try await askToErase(wasWrong: false) }
    router.post("/settings/erase") { request, context in
      let form = try await Form(request, context)
      guard form.confirmsDeletion else {
        return try await askToErase(wasWrong: true)
      }
      try await host.write { library in try library.eraseEverything() }
      return Page.redirect(to: "/")
    }
  }

  // MARK: Checking

  private struct Found: Sendable {
    var findings: [String]
    var isWhole: Bool
    var summary: String
  }

  /// The most findings that are listed.
  private static let mostFindings = 200

  private func verify() async throws -> Response {
    let library = try await host.writer()
    var findings: [String] = []
    var recordings = 0
    var count = 0
    for try await event in try library.verify(options: VerifyOptions()) {
      switch event {
      case .found(let finding):
        count += 1
        if findings.count < Self.mostFindings {
          findings.append("\(finding.path): \(finding.detail)".asSentence)
        }
      case .finished(let summary): recordings = summary.recordings
      case .planned, .progress: break
      }
    }
    let files = recordings.counted("recording")
    let values = Found(
      findings: findings, isWhole: findings.isEmpty,
      summary: findings.isEmpty
        ? "\(files) checked. Everything is as it should be."
        : "\(files) checked, \(count.counted("thing")) found.")
    return Page("The files", .settings, Self.found, values).response
  }

  private static let found = Page.template(
    #"""
    <p role="status" class="lead">{{summary}}</p>
    {{^isWhole}}<ul class="entries">{{#findings}}<li><p>{{.}}</p></li>{{/findings}}</ul>
    <p>Run <code>holdfast verify --repair</code> in a terminal. It repairs what can be repaired, and brings files back from
    a backup that you name.</p>{{/isWhole}}
    <p><a class="button quiet" href="/settings">Settings</a></p>
    """#)

  // MARK: Deleting everything

  private struct Erasure: Sendable {
    var recordings: String
    var cravings: String
    var usage: String
    var wasWrong: Bool
  }

  private func askToErase(wasWrong: Bool) async throws -> Response {
    let values = try await host.read { library in
      let all = try library.statistics(of: .everything)
      return Erasure(
        recordings: all.recordings.counted("recording"),
        cravings: all.cravings.count.counted("craving"),
        usage: all.usage.count.counted("use"),
        wasWrong: wasWrong)
    }
    var page = Page("Delete everything?", .settings, Self.erasure, values)
    if wasWrong { page.status = .unprocessableContent }
    return page.response
  }

  private static let erasure = Page.template(
    #"""
    <p>This deletes {{recordings}}, {{cravings}}, {{usage}}, your own kind words and what you wrote in journals, from this
    computer, for good. Backups on other disks keep what they have.</p>
    {{#wasWrong}}<p role="alert">Nothing was deleted: the word was not “delete”.</p>{{/wasWrong}}
    <form method="post" action="/settings/erase" class="form"><label for="word">To go on, write the word delete</label>
    <input id="word" name="word" autocomplete="off" required>
    <p class="submit"><button class="button danger">Delete everything</button> <a href="/settings">Keep everything</a></p>
    </form>
    """#)
}

extension Form {
  /// Whether somebody has written the word that a deletion of much asks for.
  var confirmsDeletion: Bool { self["word"]?.lowercased().filter { !$0.isWhitespace } == "delete" }
}

extension Int {
  /// The number with its noun: `1 recording`, `2 recordings`.
  package func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
