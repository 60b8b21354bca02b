import Foundation
import Holdfast
import Hummingbird

/// Welcome for a user without a library: a page that offers to make it, at the default place alone.
struct FirstLibrary: Sendable {
  let host: LibraryHost
  let place: DefaultPlace?

  func add(to router: Router<WebContext>) {
    router.post("/welcome/library") { _, _ in
      guard let place, isOffered else { return Page.redirect(to: "/") }
      try await host.make(at: place.location)
      return Page.redirect(to: "/", saying: .libraryMade)
    }
  }

  /// Whether a library is missing, was never seen by this program, and cannot be elsewhere.
  var isOffered: Bool { !host.hasOpened && place?.isUntouched == true }

  var response: Response {
    var page = Page(
      "Welcome", tab: nil, template: Self.template, values: ["path": host.location.path])
    page.hasTabs = false
    return page.response
  }

  private static let template = Page.template(
    #"""
    <p class="lead">Holdfast keeps the recordings that you will need one day, and what you log in \#
    hard moments. Everything stays on this computer.</p>
    <section class="card"><h2>Begin here</h2><p>Your library will be in the folder \#
    <code>{{path}}</code>.</p>
    <form method="post" action="/welcome/library">\#
    <button class="button large">Make my library</button></form></section>
    <section class="card"><h2>I have one already</h2>
    <details><summary>My disk is not connected</summary>
    <p>Connect the disk with your library, and unlock it if it asks for a password. Then try \#
    again. Nothing is made or changed meanwhile.</p>
    <p><a class="button quiet" href="/">Try again</a></p></details>
    <details><summary>I have a backup</summary>
    <p>In a terminal, <code>holdfast restore BACKUP --to {{path}}</code> brings it back, \#
    where BACKUP is the folder with the backups. Then try again.</p>
    <p><a class="button quiet" href="/">Try again</a></p></details>
    <details><summary>It is in another folder</summary>
    <p>In a terminal, <code>holdfast serve --open --library FOLDER</code> opens it.</p>\#
    </details></section>
    """#)
}
