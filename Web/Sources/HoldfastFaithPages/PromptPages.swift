import Foundation
import Holdfast
import HoldfastFaith
import HoldfastWeb
import Hummingbird

/// Questions and thoughts to write by.
struct PromptPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.get("prompts") { _, _ in try await show() }
    pages.form("prompts", host: host) { library, form in
      try library.add(
        JournalPrompt(
          prompt: form["prompt"] ?? "", category: form["category"] ?? "", createdAt: Date()))
      return "/faith/prompts"
    }
    pages.deletion(of: JournalPrompt.self, "prompts/:id/delete", host: host, then: "/faith/prompts")
  }

  private func show() async throws -> Response {
    try await Page.response("Prompts", tab: .home, template: Self.template, from: host) { library in
      let prompts = try library.faith.prompts(limit: 100).map { prompt in
        let used = prompt.usedDate.map { "used \($0.words(in: .current))" }
        return RecordLine(
          prompt.id.uuidString, prompt.prompt,
          detail: [prompt.category.nonBlank, used].compactMap(\.self).joined(separator: " · ")
            .nonBlank, more: prompt.entryID.map { "/faith/entries/\($0)" })
      }
      return ["prompts": prompts]
    }
  }

  private static let deletion = Page.deletion(
    of: "/faith/prompts/{{id}}", #"Delete<span class="hidden"> {{what}}</span>"#)

  private static let template = Page.template(
    #"""
    {{^prompts}}<p>No prompts yet. A question such as “What are you thankful for?” helps \#
    to begin.</p>{{/prompts}}
    \#(RecordLine.list("prompts", isSplit: false, rest: rest))
    <details{{^prompts}} open{{/prompts}}><summary>Add a prompt</summary>\#
    <form method="post" action="/faith/prompts" class="form">
    <label for="prompt">Question or thought</label>\#
    <textarea id="prompt" name="prompt" rows="2" maxlength="2000" required></textarea>
    <label for="category">Category</label><input id="category" name="category" maxlength="60">
    <p class="submit"><button class="button">Add it</button></p></form></details>
    """#)

  private static let rest = #"""
    <div class="inline"><a class="button quiet" href="/faith/new?prompt={{id}}">Write\#
    <span class="hidden"> about {{what}}</span></a>{{#more}}\#
    <a class="play" href="{{.}}">What you wrote</a>{{/more}}
    \#(deletion)</div>
    """#
}
