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

  /// The strokes of the tab's icon, on a grid of 24 by 24.
  var icon: String {
    switch self {
    case .home: "M3.5 11 12 4l8.5 7v9H15v-6H9v6H3.5z"
    case .progress: "M4 4v16h16M8 15l4-5 3 3 5-7"
    case .recordings: "M4 5h16v14H4zM10 9v6l5-3z"
    case .settings: "M4 8h9m5 0h2M4 16h2m5 0h9M13 5.5h5v5h-5zM6 13.5h5v5H6z"
    }
  }
}

/// A page, as HTML. The template escapes every text.
package struct Page: Sendable {
  var title: String
  /// The page's tab; `nil` for a page outside all tabs.
  var tab: Tab?
  var status: HTTPResponse.Status = .ok
  var hasTabs = true
  /// The page above this one; `nil` for the page of a tab.
  var parent: Parent?
  private let content: String

  /// A page that the link at the top of another one leads to.
  package struct Parent: Sendable {
    var name: String
    var path: String

    package init(_ name: String, _ path: String) {
      self.name = name
      self.path = path
    }

    init(_ tab: Tab) { self.init(tab.rawValue, tab.path) }
  }

  /// The journal whose pages are being made.
  @TaskLocal static var journal: Parent?

  /// - Parameters:
  ///   - parent: The page above this one; by default the page of the journal, or of the tab.
  ///   - template: The part below the heading.
  package init(
    _ title: String, tab: Tab?, under parent: Parent? = nil, template: MustacheTemplate, values: Any
  ) {
    self.title = title
    self.tab = tab
    let all = [parent, Self.journal, tab.map { Parent($0) }].compactMap(\.self)
    self.parent = tab?.rawValue == title ? nil : all.first { $0.name != title }
    content = template.render(values)
  }

  private struct TabLink {
    var path: String
    var name: String
    var icon: String
    var isChosen: Bool
  }

  private struct Layout {
    var title: String
    var parent: Parent?
    var tabs: [TabLink]
    var notice: String?
    var content: String
  }

  package var response: Response {
    let tabs = Tab.allCases.map {
      TabLink(path: $0.path, name: $0.rawValue, icon: $0.icon, isChosen: $0 == tab)
    }
    let text = Self.layout.render(
      Layout(
        title: title, parent: parent, tabs: hasTabs && status != .unauthorized ? tabs : [],
        notice: Notice.shown?.sentence, content: content))
    return Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  /// Makes the page from what `values` reads. `shown` is called once the page is sent.
  package static func response<Values: Sendable>(
    _ title: String, tab: Tab, template: MustacheTemplate, from host: LibraryHost,
    values: @escaping @Sendable (Library) throws -> Values,
    shown: @escaping @Sendable (Values) -> Void
  ) async throws -> Response {
    let values = try await host.read(values)
    return Page(title, tab: tab, template: template, values: values).response.then { shown(values) }
  }

  package static func response(
    _ title: String, tab: Tab, under parent: Parent? = nil, template: MustacheTemplate,
    from host: LibraryHost, values: @escaping @Sendable (Library) throws -> some Sendable
  ) async throws -> Response {
    Page(title, tab: tab, under: parent, template: template, values: try await host.read(values))
      .response
  }

  /// Sends the browser to another page after a change, so that a reload repeats nothing.
  ///
  /// - Parameter notice: What the change was. The other page shows it once.
  package static func redirect(to path: String, saying notice: Notice? = nil) -> Response {
    var response = Response(status: .seeOther, headers: [.location: path])
    response.say(notice)
    return response
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
    <script src="/assets/script.js" type="module"></script>
    </head>
    <body>
    <a class="skip" href="#main">Skip to the page</a>
    <nav aria-label="Pages">
    <p class="brand"><img src="/assets/icon.svg" alt="" width="32" height="32">Holdfast</p>
    <ul>
    {{#tabs}}
    <li><a href="{{path}}"{{#isChosen}} aria-current="page"{{/isChosen}}>\#
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{{icon}}"/></svg>\#
    <span>{{name}}</span></a></li>
    {{/tabs}}
    </ul>
    </nav>
    <main id="main">
    {{#parent}}<p class="up"><a href="{{path}}">{{name}}</a></p>{{/parent}}
    <h1>{{title}}</h1>
    {{#notice}}<p class="done" role="status" data-notice>{{.}}</p>{{/notice}}
    {{{content}}}
    </main>
    </body>
    </html>
    """#)
}

extension Response {
  /// Returns the response, which runs `body` once it is sent.
  package func then(_ body: @escaping @Sendable () -> Void) -> Response {
    var response = self
    let content = self.body
    response.body = ResponseBody(contentLength: content.contentLength) { writer in
      try await content.write(writer)
      body()
    }
    return response
  }
}
