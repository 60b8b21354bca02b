package import HoldfastModel

/// The folders of two libraries that may have second names of the same files.
package struct FolderPair {
  /// The meaning of a name in the other library.
  package enum Standing {
    case missing
    case sameFile(FileIdentity)
    case otherFile
  }

  private let own: RecordingFolders
  private let others: RecordingFolders

  /// Opens the folders; `nil` if the other library lacks one.
  ///
  /// - Throws: `HoldfastError`: `exists` if a folder belongs to both, or a system error.
  package init?(_ own: LibraryTree, _ other: LibraryTree) throws(HoldfastError) {
    guard let others = try RecordingFolders(existingIn: other.directory) else { return nil }
    (self.own, self.others) = (try RecordingFolders(in: own.directory), others)
    var pairs = [
      (self.own.recordings, others.recordings), (self.own.thumbnails, others.thumbnails),
    ]
    if let photos = self.own.photos, let twin = others.photos { pairs.append((photos, twin)) }
    for (folder, twin) in pairs
    where try folder.file.identity().isSameFile(as: twin.file.identity()) {
      throw HoldfastError(.exists, operation: "remove files from", path: twin.file.path)
    }
  }

  package func standing(
    of path: RelativePath, beside ownPath: RelativePath
  ) throws(HoldfastError) -> Standing {
    guard let other = try SystemCalls.identity(of: others.place(path)) else { return .missing }
    guard let identity = try SystemCalls.identity(of: own.place(ownPath)) else { return .otherFile }
    return identity.kind == .regular && identity.isSameFile(as: other)
      ? .sameFile(other) : .otherFile
  }

  /// Removes a name of a file from the other library. If `identity` is given, the file must be that
  /// one, and with `isUnchanged` unchanged since. Returns whether it was removed.
  package func removeOther(
    _ path: RelativePath, ifStill identity: FileIdentity? = nil, unchanged isUnchanged: Bool = false
  ) throws(HoldfastError) -> Bool {
    let place = others.place(path)
    guard let found = try SystemCalls.identity(of: place), found.kind == .regular else {
      return false
    }
    if let identity {
      guard isUnchanged ? found == identity : found.isSameFile(as: identity) else { return false }
    }
    try SystemCalls.unlink(place)
    return true
  }
}
