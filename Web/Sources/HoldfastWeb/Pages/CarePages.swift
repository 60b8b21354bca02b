import Holdfast
import Hummingbird

struct CarePages: Sendable {
  let host: LibraryHost
  let copies: Copies
  let sessions: Sessions
  let address: ServerAddress

  func add(to router: Router<WebContext>) {
    router.get("/settings/erase") { _, _ in try await askToErase(wasWrong: false) }
    router.post("/settings/erase") { request, context in
      let form = try await Form(request, context)
      guard form.confirmsDeletion else {
        return try await askToErase(wasWrong: true)
      }
      await copies.giveUp(nil)
      try await host.write { library in try library.eraseEverything() }
      var response = Page.redirect(to: "/", saying: .erased)
      // The pages before this one show what is gone. A browser does not show them again under
      // another cookie.
      if let cookie = request.cookies[address.cookieName]?.value {
        response.addCookie("\(address.cookieName)=\(sessions.renew(cookie))")
      }
      response.headers[.clearSiteData] = #""cache""#
      return response
    }
  }

  private struct Erasure: Sendable {
    var recordings: String
    var cravings: String
    var usage: String
    /// The folder of the last backup, if it can be reached.
    var backup: String?
    var wasWrong: Bool
  }

  private func askToErase(wasWrong: Bool) async throws -> Response {
    let values = try await host.read { library in
      let counts = try library.exportedCounts()
      func count(_ name: String) -> Int { counts.first { $0.kind.name == name }?.count ?? 0 }
      return Erasure(
        recordings: count("recordings").counted("recording"),
        cravings: count("cravings").counted("craving"), usage: count("usage").counted("use"),
        backup: try library.reachableBackups().first, wasWrong: wasWrong)
    }
    var page = Page("Delete everything?", tab: .settings, template: Self.erasure, values: values)
    if wasWrong { page.status = .unprocessableContent }
    return page.response
  }

  private static let erasure = Page.template(
    #"""
    <p>This deletes {{recordings}}, {{cravings}}, {{usage}}, your own kind words and what you \#
    wrote in journals, for good.</p>
    <p>{{#backup}}Your backup in <code>{{.}}</code> stays. If it should go, too, delete that \#
    folder. Other backups{{/backup}}{{^backup}}Backups{{/backup}} keep what they have.</p>
    {{#wasWrong}}<p role="alert">Nothing was deleted: the word was not “delete”.</p>{{/wasWrong}}
    <form method="post" action="/settings/erase" class="form">\#
    <label for="word">To go on, write the word delete</label>
    <input id="word" name="word" autocomplete="off" required>
    <p class="submit"><button class="button danger">Delete everything</button> \#
    <a href="/settings">Keep everything</a></p>
    </form>
    """#)
}

extension Form {
  /// Whether the user wrote the word that a large deletion asks for.
  var confirmsDeletion: Bool { self["word"]?.lowercased().filter { !$0.isWhitespace } == "delete" }
}

extension Int {
  /// The number with its noun: `1 recording`, `2 recordings`.
  package func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
