internal import Glibc

extension SourceFile {
  /// What happened to a source that was to be removed.
  public enum Removal: Hashable, Sendable {
    /// The name was removed.
    case removed
    /// The path is a symbolic link. The link and its target are kept.
    case isLink
    /// The file has changed, or something else is there. It is kept.
    case hasChanged
    /// Nothing is there any more.
    case isMissing
  }

  /// Removes a source's name, if exactly the file that was read is still there, unchanged.
  ///
  /// The folder is opened once, so that the name that is checked is the name that is removed.
  ///
  /// - Parameters:
  ///   - path: The source's path.
  ///   - identity: The file's identity when it was read.
  ///   - followsLinks: Whether a symbolic link above it is followed, because a person named it.
  /// - Returns: What happened to the source.
  /// - Throws: ``StorageError`` when the system refuses.
  public static func remove(
    _ path: SourcePath, ifStill identity: FileIdentity, followingLinks followsLinks: Bool = true
  ) throws(StorageError) -> Removal {
    guard let (folder, name) = path.split else { return .hasChanged }
    // The folder is not opened for reading: removing a name needs no right to list it.
    let flags = SystemCalls.onlyToLookAt | O_DIRECTORY
    let directory =
      followsLinks
      ? try SystemCalls.open(Place(folder.bytes), flags)
      : try SystemCalls.openThroughNoLink(Place(folder.bytes), flags)
    let place = Place(in: directory, name)
    guard let found = try SystemCalls.identity(of: place) else { return .isMissing }
    guard found.kind != .symbolicLink else { return .isLink }
    guard found.kind == .regular, found == identity else { return .hasChanged }
    // A program that has it open to write would write into nothing. The kernel tells its owner.
    let reading = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
    if let file = try? SystemCalls.open(place, reading), SystemCalls.hasWriters(file) {
      return .hasChanged
    }
    do throws(StorageError) {
      try SystemCalls.unlink(place)
    } catch let error where error.code == .missing {
      return .isMissing
    }
    return .removed
  }
}
