package import Holdfast
package import Hummingbird

/// The pages of a journal. Each journal's target has one such type, and the program lists them.
package protocol JournalPages: Sendable {
  static var journal: Journal { get }
  /// The name that people read, such as `Food`.
  static var title: String { get }
  static var summary: String { get }

  init(host: LibraryHost)

  /// Adds the pages below the journal's ``path``. They are shown only where the journal is enabled.
  func add(to pages: RouterGroup<WebContext>)
}

extension JournalPages {
  /// The path below which the journal's pages are, such as `/food`.
  package static var path: String { "/\(journal.name)" }
}
