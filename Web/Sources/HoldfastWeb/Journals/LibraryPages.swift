package import Holdfast
package import Hummingbird

/// Pages that every library has, besides those of its recordings. They add to Home and to the page
/// of each recording.
package protocol LibraryPages: Sendable {
  /// The parts of Home, as HTML above the recordings and below everything else.
  /// `shown` is called once they are shown.
  typealias HomeParts = (
    isEmpty: Bool, top: String, bottom: String, shown: @Sendable () -> Void
  )
  /// The parts of a recording's page: a few words beside its length, and HTML.
  typealias RecordingParts = (detail: String?, html: String)

  static var journal: Journal { get }

  init(host: LibraryHost)
  func add(to router: Router<WebContext>)
  /// Returns the parts of Home, and whether nothing has been logged yet.
  func home(in library: Library, for visit: Visit) throws -> HomeParts
  func parts(of recording: Recording, in library: Library) throws -> RecordingParts
}
