internal import Glibc

extension SourceFile {
  /// What became of a source that was to be removed.
  public enum Removal: Hashable, Sendable {
    /// It is gone.
    case removed
    /// The path is a symbolic link: the link stays, and so does what it points to.
    case isLink
    /// Another file stands there, or the same one, changed; it stays.
    case hasChanged
    /// Nothing stands there any more.
    case isMissing
  }

  /// Removes a source's name, if the very file that was read still stands there unchanged.
  ///
  /// The folder is opened once, so that the name that is looked at is the name that is removed.
  ///
  /// - Parameters:
  ///   - path: The source's path.
  ///   - identity: How the file stood when it was read.
  /// - Throws: ``StorageError`` when the system refuses.
  public static func remove(
    _ path: SourcePath, ifStill identity: FileIdentity
  ) throws(StorageError) -> Removal {
    guard let (folder, name) = path.split else { return .hasChanged }
    // Only a place to look from: removing needs no right to list.
    let flags = SystemCalls.onlyToLookAt | O_DIRECTORY
    let directory = try SystemCalls.open(Place(folder.bytes), flags)
    let place = Place(in: directory, name)
    guard let found = try SystemCalls.identity(of: place) else { return .isMissing }
    guard found.kind != .symbolicLink else { return .isLink }
    guard found.kind == .regular, found == identity else { return .hasChanged }
    do throws(StorageError) {
      try SystemCalls.unlink(place)
    } catch let error where error.code == .missing {
      return .isMissing
    }
    return .removed
  }
}
