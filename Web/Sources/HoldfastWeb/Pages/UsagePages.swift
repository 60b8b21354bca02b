internal import Foundation
internal import Holdfast
internal import Hummingbird
internal import Mustache

/// Logging a use.
struct UsagePages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/use") { request, _ in
      let back = request.fields.back
      let method = request.fields["method"]
      return try await form(nil, method: method, back: back)
    }
    router.post("/use") { request, context in
      let form = try await Form(request, context)
      let id = try await host.write { library in
        let now = Date()
        var usage = Usage(
          timestamp: now, method: try form.method(), amount: try form.amount(), createdAt: now)
        try form.fill(&usage, isNew: true, now: now, unless: form["opened"])
        try library.log(usage, now: now)
        return usage.id
      }
      return Page.redirect(to: "/use/\(id)/logged?back=\(form.back.addingPercentEncoding)")
    }
    router.get("/use/:id/logged") { request, context in
      try await logged(context.id("id"), back: request.fields.back)
    }
    router.get("/use/:id") { _, context in
      try await form(context.id("id"), method: nil, back: "/history")
    }
    router.post("/use/:id") { request, context in
      let (id, form) = (try context.id("id"), try await Form(request, context))
      try await host.write { library in
        let (method, amount) = (try form.method(), try form.amount())
        _ = try library.editUsage(id: id) { usage in
          (usage.method, usage.amount) = (method, amount)
          try form.fill(&usage, isNew: false, now: Date(), unless: form["opened"])
        }
      }
      return Page.redirect(to: form.back)
    }
    router.post("/use/:id/delete") { request, context in
      let (id, form) = (try context.id("id"), try await Form(request, context))
      try await host.delete { library in try library.deleteUsage(id: id) }
      return Page.redirect(to: form.back)
    }
  }

  private struct Method: Sendable {
    var name: String
    var isChosen: Bool
    var amounts: [Amount]
  }

  private struct Amount: Sendable {
    var value: String
    var text: String
    var isChosen: Bool
  }

  private struct Values: Sendable {
    var action: String
    var methods: [Method]
    var fields: EntryFields
    var isEdited: Bool
    var id: String
  }

  private func form(_ id: UUID?, method: String?, back: String) async throws -> Response {
    let values = try await host.read { library in
      let usage = try id.map { try library.usage(idPrefix: $0.uuidString) }
      let last = try library.recentUsage(limit: 1).first?.method
      let chosen =
        try usage?.method ?? method.map(UsageMethod.init(named:)) ?? last ?? UsageMethod.bowls
      return Values(
        action: id.map { "/use/\($0)" } ?? "/use",
        methods: UsageMethod.allCases.map { method in
          Method(
            name: method.rawValue, isChosen: method == chosen,
            amounts: method.amounts.map { amount in
              Amount(
                value: "\(amount)", text: method.text(amount),
                isChosen: usage?.method == method && usage?.amount == amount)
            })
        }, fields: EntryFields(usage, now: Date(), back: back), isEdited: id != nil,
        id: id?.uuidString ?? "")
    }
    return Page(id == nil ? "Log use" : "Edit use", .home, Self.template, values).response
  }

  // Each method has its own list of amounts. Without a script all are there, and the one of the chosen
  // method counts.
  private static let template = Page.template(
    #"""
    <form method="post" action="{{action}}" class="form">
    <input type="hidden" name="back" value="{{fields.back}}">
    <input type="hidden" name="opened" value="{{fields.when}}">
    <fieldset><legend>How</legend><div class="chips">
    {{#methods}}<label class="chip"><input type="radio" name="method" value="{{name}}"{{#isChosen}} checked{{/isChosen}} data-method><span>{{name}}</span></label>{{/methods}}
    </div></fieldset>
    {{#methods}}<div class="amount" data-amounts="{{name}}"><label for="amount-{{name}}">How much ({{name}})</label>
    <select id="amount-{{name}}" name="amount-{{name}}">
    {{#amounts}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>{{/amounts}}
    </select></div>{{/methods}}
    """# + EntryFields.html + #"""
      </details>
      <p class="submit"><button class="button large">{{#isEdited}}Keep changes{{/isEdited}}{{^isEdited}}Log it{{/isEdited}}</button>
      <a href="{{fields.back}}">Cancel</a></p>
      </form>
      {{#isEdited}}<details class="sure"><summary>Delete this entry</summary><form method="post" action="/use/{{id}}/delete"><input type="hidden" name="back" value="/history"><button class="button danger">Delete it</button></form></details>{{/isEdited}}
      """#)

  private struct Logged: Sendable {
    var id: String
    var back: String
    var message: ShownMessage?
    var recording: RecordingCard?
  }

  private func logged(_ id: UUID, back: String) async throws -> Response {
    let values = try await host.read { library in
      // After a use, there is no urge to speak of.
      let usage = try library.usage(idPrefix: id.uuidString)
      let category = MessageCategory(triggers: usage.triggers.list)
      return Logged(
        id: id.uuidString, back: back,
        message: category == .urge ? nil : try ShownMessage.next(for: category, in: library),
        recording: try library.quickRecordings(limit: 1).first.map(RecordingCard.init))
    }
    return Page("Logged", .home, Self.loggedTemplate, values).response
  }

  private static let loggedTemplate = Page.template(
    #"""
    <p role="status" class="lead">It is written down. Thank you for being honest with yourself.</p>
    <form method="post" action="/use/{{id}}/delete" data-undo><input type="hidden" name="back" value="{{back}}">
    <button class="link">Undo</button></form>
    {{#message}}{{{html}}}{{/message}}
    {{#recording}}<ul class="cards one">{{{html}}}</ul>{{/recording}}
    <p><a class="button quiet" href="{{back}}">Go on</a> <a href="/history">Change it</a></p>
    """#)
}

extension Form {
  fileprivate func method() throws -> UsageMethod { try UsageMethod(named: self["method"] ?? "") }

  /// The amount of the chosen method.
  fileprivate func amount() throws -> Double {
    let text = self["amount-\(try method().rawValue)"]
    guard let amount = text.flatMap({ Double($0) }) else {
      throw RuleError("the amount is missing; choose one")
    }
    return amount
  }
}
