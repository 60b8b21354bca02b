import Foundation
import HTTPTypes
package import Holdfast
package import Hummingbird
package import Mustache

/// The four tabs, in their order.
package enum Tab: String, CaseIterable, Sendable {
  case home = "Home"
  case progress = "Progress"
  case recordings = "Recordings"
  case settings = "Settings"

  var path: String { self == .home ? "/" : "/\(rawValue.lowercased())" }
}

/// A page, as HTML. The template escapes every text.
package struct Page: Sendable {
  var title: String
  /// The page's tab; `nil` for a page outside all tabs.
  var tab: Tab?
  var status: HTTPResponse.Status = .ok
  private let content: String

  /// - Parameter template: The part below the heading.
  package init(_ title: String, _ tab: Tab?, _ template: MustacheTemplate, _ values: Any) {
    self.title = title
    self.tab = tab
    content = template.render(values)
  }

  private struct Layout {
    var title: String
    var tabs: [Choice]
    var content: String
  }

  package var response: Response {
    let tabs = Tab.allCases.map { Choice($0.path, $0.rawValue, isChosen: $0 == tab) }
    let text = Self.layout.render(
      Layout(title: title, tabs: status == .unauthorized ? [] : tabs, content: content))
    return Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  package static func response(
    _ title: String, _ tab: Tab, _ template: MustacheTemplate, from host: LibraryHost,
    _ values: @escaping @Sendable (Library) throws -> some Sendable
  ) async throws -> Response {
    Page(title, tab, template, try await host.read(values)).response
  }

  /// Sends the browser to another page after a change, so that a reload repeats nothing.
  package static func redirect(to path: String) -> Response {
    Response(status: .seeOther, headers: [.location: path])
  }

  /// Reads a template. All templates are parts of the program, and a test renders them.
  package static func template(_ text: String) -> MustacheTemplate {
    do { return try MustacheTemplate(string: text) } catch {
      preconditionFailure("a template cannot be read: \(error)")
    }
  }

  private static let layout = template(
    #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>{{title}} · Holdfast</title>
    <link rel="stylesheet" href="/assets/style.css">
    <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
    <script src="/assets/script.js" type="module" async></script>
    </head>
    <body>
    <a class="skip" href="#main">Skip to the page</a>
    <nav aria-label="Pages">
    <ul>
    {{#tabs}}
    <li><a href="{{value}}"{{#isChosen}} aria-current="page"{{/isChosen}}>{{name}}</a></li>
    {{/tabs}}
    </ul>
    </nav>
    <main id="main">
    <h1>{{title}}</h1>
    {{{content}}}
    </main>
    </body>
    </html>
    """#)
}
