import Foundation
import Holdfast
import HoldfastCravings
import HoldfastWeb
import Hummingbird

struct UsageForm: RecordForm {
  let shown: ShownMessages

  static let path = "/use"
  static let titles = (new: "Log use", edited: "Edit use")

  func add(to router: Router<WebContext>, _ host: LibraryHost) {
    add(to: router, host, new: "/use", records: "/use")
    router.get("/use/:id/logged") { request, context in
      try await LoggedPage(
        shown: shown, lead: "Thank you for being honest with yourself.", path: Self.path,
        change: "/history"
      ).response(id: context.id("id"), to: request, from: host) { library, id in
        // After a use, a message about an urge does not fit.
        let category = MessageCategory(triggers: try record(id, in: library).triggers.list)
        return category == .urge ? nil : category
      }
    }
  }

  struct Method: Sendable {
    var name: String
    var isChosen: Bool
    var amounts: [Choice]
  }

  struct Fields: Sendable {
    var methods: [Method]
    var shared: EntryFields
  }

  func fields(of usage: Usage?, _ address: Form, in library: Library) throws -> Fields {
    let last = try library.usage(matching: UsageQuery(limit: 1)).first?.method
    let chosen =
      try usage?.method ?? address["method"].map(UsageMethod.init(named:)) ?? last ?? .bowls
    let methods = UsageMethod.allCases.map { method in
      Method(
        name: method.rawValue, isChosen: method == chosen,
        amounts: method.amounts.map { amount in
          Choice(
            "\(amount)", method.text(amount),
            isChosen: usage?.method == method && usage?.amount == amount)
        })
    }
    return Fields(methods: methods, shared: EntryFields(usage, address))
  }

  func recordings(
    choosing chosen: UUID?, _ address: Form, in library: Library
  ) -> RecordingChoices { RecordingChoices() }

  func new(_ form: Form, now: Date) throws -> Usage {
    Usage(timestamp: now, method: try form.method(), amount: try form.amount(), createdAt: now)
  }

  func change(_ form: Form, in library: Library) throws -> (inout Usage) throws -> Void {
    let (method, amount) = (try form.method(), try form.amount())
    return { usage in
      (usage.method, usage.amount) = (method, amount)
      try form.fill(&usage)
    }
  }

  // Each method has its own list of amounts. Without a script all lists are shown, and that of the
  // chosen method counts.
  static let template = Page.form(
    #"""
    \#(EntryFields.start)
    <fieldset><legend>How</legend><div class="chips">
    {{#methods}}<label class="chip">\#
    <input type="radio" name="method" value="{{name}}"{{#isChosen}} checked{{/isChosen}} \#
    data-method><span>{{name}}</span></label>{{/methods}}
    </div></fieldset>
    {{#methods}}<div class="amount" data-amounts="{{name}}">\#
    <label for="amount-{{name}}">How much ({{name}})</label>
    <select id="amount-{{name}}" name="amount-{{name}}">
    \#(Choice.options("amounts"))
    </select></div>{{/methods}}
    \#(EntryFields.html)
    \#(EntryFields.end)
    """#)
}

extension Form {
  fileprivate func method() throws -> UsageMethod { try UsageMethod(named: self["method"] ?? "") }

  fileprivate func amount() throws -> Double {
    let text = self["amount-\(try method().rawValue)"]
    guard let amount = text.flatMap({ Double($0) }) else {
      throw RuleError("the amount is missing; choose one")
    }
    return amount
  }
}
