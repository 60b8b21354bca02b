internal import Foundation
internal import Holdfast
internal import HoldfastFaith
internal import HoldfastWeb
internal import Hummingbird
internal import Mustache

/// Questions and thoughts to write by.
struct PromptPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("prompts") { _, _ in try await show() }
    pages.post("prompts") { request, context in
      let form = try await Form(request, context)
      try await host.write { library in
        try library.faith.add(
          JournalPrompt(
            prompt: form["prompt"] ?? "", category: form["category"] ?? "", createdAt: Date()))
      }
      return Page.redirect(to: "/faith/prompts")
    }
    pages.post("prompts/:id/delete") { _, context in
      let id = try context.id("id")
      try await host.delete { library in try library.faith.delete(JournalPrompt.self, id: id) }
      return Page.redirect(to: "/faith/prompts")
    }
  }

  private struct Item: Sendable {
    var id: String
    var text: String
    var detail: String?
    var entry: String?
  }

  private struct Values: Sendable {
    var prompts: [Item]
    var isEmpty: Bool
  }

  private func show() async throws -> Response {
    let values = try await host.read { library in
      let prompts = try library.faith.prompts(limit: 100).map { prompt in
        let used = prompt.usedDate.map { "used on \($0.localText.prefix(10))" }
        return Item(
          id: prompt.id.uuidString, text: prompt.prompt,
          detail: [prompt.category.nonBlank, used].compactMap(\.self).joined(separator: " · ")
            .nonBlank,
          entry: prompt.entryID?.uuidString)
      }
      return Values(prompts: prompts, isEmpty: prompts.isEmpty)
    }
    return Page("Prompts", .home, Self.template, values).response
  }

  private static let template = Page.template(
    #"""
    {{#isEmpty}}<p>There is no prompt yet. A question such as “What are you thankful for?” helps to begin.</p>{{/isEmpty}}
    <ul class="entries">{{#prompts}}<li><p><span class="what">{{text}}</span>{{#detail}}<span class="detail">{{.}}</span>{{/detail}}</p>
    <div class="inline"><a class="button quiet" href="/faith/new?prompt={{id}}">Write<span class="hidden"> about {{text}}</span></a>{{#entry}}<a class="play" href="/faith/entries/{{.}}">What you wrote</a>{{/entry}}
    <details class="sure"><summary>Delete<span class="hidden"> {{text}}</span></summary><form method="post" action="/faith/prompts/{{id}}/delete"><button class="button danger">Delete it</button></form></details></div></li>{{/prompts}}</ul>
    <details{{#isEmpty}} open{{/isEmpty}}><summary>Add a prompt</summary><form method="post" action="/faith/prompts" class="form">
    <label for="prompt">Question or thought</label><textarea id="prompt" name="prompt" rows="2" maxlength="2000" required></textarea>
    <label for="category">Category</label><input id="category" name="category" maxlength="60">
    <p class="submit"><button class="button">Add it</button></p></form></details>
    <p><a class="button quiet" href="/faith">Faith</a></p>
    """#)
}
