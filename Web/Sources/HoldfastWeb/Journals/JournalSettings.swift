import Holdfast
import Hummingbird

/// The journals of the program: their pages, shown where enabled, and their switches in Settings.
struct JournalSettings: Sendable {
  let host: LibraryHost
  let journals: [any JournalPages.Type]

  func add(to router: Router<WebContext>) {
    for journal in journals {
      let group = router.group("\(journal.journal.name)")
      group.add(middleware: JournalGate(host: host, journal: Shown(journal, isEnabled: false)))
      journal.init(host: host).add(to: group)
    }
    router.post("/settings/journals/:name/enable") { request, context in
      let (name, form) = (try context.parameters.require("name"), try await Form(request, context))
      try await host.write { library in _ = try library.enableJournal(name) }
      return Page.redirect(to: form.back)
    }
    router.post("/settings/journals/:name/disable") { _, context in
      let name = try context.parameters.require("name")
      do {
        try await host.write { library in _ = try library.disableJournal(name) }
      } catch HoldfastError.Code.journalNotEmpty {
        return Page.redirect(to: "/settings/journals/\(name)/erase")
      }
      return Page.redirect(to: "/settings")
    }
    router.get("/settings/journals/:name/erase") { _, context in
      try await askToErase(context.parameters.require("name"), wasWrong: false)
    }
    router.post("/settings/journals/:name/erase") { request, context in
      let (name, form) = (try context.parameters.require("name"), try await Form(request, context))
      guard form.confirmsDeletion else { return try await askToErase(name, wasWrong: true) }
      try await host.write { library in _ = try library.disableJournal(name, erasing: true) }
      return Page.redirect(to: "/settings")
    }
  }

  private struct Erasure: Sendable {
    var name: String
    var title: String
    var holds: String
    var wasWrong: Bool
  }

  private func askToErase(_ name: String, wasWrong: Bool) async throws -> Response {
    guard let journal = journals.first(where: { $0.journal.name == name }) else {
      throw WebProblem.notFound
    }
    let counts = try await host.read { library in
      try library.journalCounts(name).filter { $0.count > 0 }.map { $0.kind.text($0.count) }
    }
    // Another program may have switched the journal off, or deleted its records.
    guard !counts.isEmpty else { return Page.redirect(to: "/settings") }
    let values = Erasure(
      name: name, title: journal.title, holds: counts.joined(separator: ", "), wasWrong: wasWrong)
    var page = Page(
      "Switch off \(journal.title)?", tab: .settings, template: Self.erasure, values: values)
    if wasWrong { page.status = .unprocessableContent }
    return page.response
  }

  private static let erasure = Page.template(
    #"""
    <p role="status">{{title}} is still on. Switching it off would delete {{holds}}.</p>
    {{#wasWrong}}<p role="alert">Nothing was deleted: the word was not “delete”.</p>{{/wasWrong}}
    <form method="post" action="/settings/journals/{{name}}/erase" class="form">
    <label for="word">To delete all of it, for good, write the word delete</label>
    <input id="word" name="word" autocomplete="off" required>
    <p class="submit"><button class="button danger">Delete it and switch off</button> \#
    <a href="/settings">Keep it</a></p>
    </form>
    """#)

  /// A journal as the pages name it.
  struct Shown: Sendable {
    var name: String
    var title: String
    var summary: String
    var path: String
    var isEnabled: Bool

    init(_ pages: any JournalPages.Type, isEnabled: Bool) {
      name = pages.journal.name
      title = pages.title
      summary = pages.summary
      path = pages.path
      self.isEnabled = isEnabled
    }
  }

  /// The program's journals, and whether each is enabled in the library.
  func all(in library: Library) throws -> [Shown] {
    let enabled = try library.enabledJournals()
    return journals.map { Shown($0, isEnabled: enabled.contains($0.journal.name)) }
  }
}

/// Shows the pages of a journal only where it is enabled. Otherwise it offers to enable the
/// journal.
private struct JournalGate: RouterMiddleware {
  let host: LibraryHost
  let journal: JournalSettings.Shown

  func handle(
    _ request: Request, context: WebContext,
    next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    let name = journal.name
    let isEnabled = try await host.read { try $0.enabledJournals().contains(name) }
    guard !isEnabled else {
      return try await Page.$journal.withValue(.init(journal.title, journal.path)) {
        try await next(request, context)
      }
    }
    var page = Page(journal.title, tab: .home, template: Self.template, values: journal)
    // A change that was sent is not kept.
    if request.method != .get, request.method != .head { page.status = .conflict }
    return page.response
  }

  private static let template = Page.template(
    #"""
    <p class="lead">{{summary}}</p>
    <p>This journal is not switched on in your library.</p>
    <form method="post" action="/settings/journals/{{name}}/enable">\#
    <input type="hidden" name="back" value="{{path}}">
    <button class="button large">Switch it on</button></form>
    """#)
}
