import Glibc
package import HoldfastModel

extension SourceRoute {
  package enum Removal: Hashable, Sendable {
    case removed
    /// The path is a symbolic link. The link and its target are kept.
    case isLink
    /// The file has changed, or something else is there. It is kept.
    case hasChanged
    case isMissing
  }

  /// Removes a source's name, if exactly the file that was read is still there, unchanged.
  ///
  /// The folder is opened once, so that the name that is checked is the name that is removed.
  ///
  /// - Throws: `HoldfastError`: `unsafePath` for a link above it that is not followed, or when
  ///   the system refuses.
  package func remove(ifStill identity: FileIdentity) throws(HoldfastError) -> Removal {
    guard let place = try place() else { return .hasChanged }
    guard let found = try SystemCalls.identity(of: place) else { return .isMissing }
    guard found.kind != .symbolicLink else { return .isLink }
    guard found.kind == .regular, found == identity else { return .hasChanged }
    // A program that is writing to it would lose its data. The kernel reports that to the file's
    // owner.
    let reading = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
    if let file = try? SystemCalls.open(place, reading), SystemCalls.hasWriters(file) {
      return .hasChanged
    }
    do throws(HoldfastError) {
      try SystemCalls.unlink(place)
    } catch let error where error.code == .missing {
      return .isMissing
    }
    return .removed
  }
}
