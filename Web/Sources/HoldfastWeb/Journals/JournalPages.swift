package import Holdfast
package import Hummingbird

/// The pages of a journal. Each journal's target has one such type, and the program lists them.
package protocol JournalPages: Sendable {
  static var journal: Journal { get }
  /// The name that people read, such as `Food`.
  static var title: String { get }
  static var summary: String { get }

  init(host: LibraryHost)

  /// Returns the words and the page of a record that names a recording; `nil` for a record of
  /// another journal.
  static func link(to record: any DeclaredRecord) -> RecordLink?

  /// Adds the pages below the journal's ``path``. They are shown only where the journal is enabled.
  func add(to pages: RouterGroup<WebContext>)
}

extension JournalPages {
  /// The path below which the journal's pages are, such as `/food`.
  package static var path: String { "/\(journal.name)" }
}

/// A line that leads to a record.
package struct RecordLink: Sendable {
  var path: String
  var text: String

  package init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
  }
}
