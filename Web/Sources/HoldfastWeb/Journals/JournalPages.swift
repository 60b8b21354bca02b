package import Holdfast
package import Hummingbird

/// The pages of a journal. Each journal's target has one such type, and the program has a list of them.
package protocol JournalPages: Sendable {
  static var journal: Journal { get }
  /// What a person calls it, such as `Food`.
  static var title: String { get }
  static var summary: String { get }

  init(host: LibraryHost)

  /// Adds the pages below the journal's ``path``. They are shown only where the journal is enabled.
  func add(to pages: RouterGroup<WebContext>)
}

extension JournalPages {
  /// Where the journal's pages begin, such as `/food`.
  package static var path: String { "/\(journal.name)" }
}
