internal import Glibc
internal import HoldfastModel

extension LibraryTree {
  /// Makes the folder of a new library, for its owner alone.
  ///
  /// - Returns: Whether this call made it. `false` if it was there before.
  static func makeFolder(at path: String, makingParents: Bool) throws(StorageError) -> Bool {
    let parent = parent(of: path)
    do throws(StorageError) {
      try SystemCalls.makeDirectory(Place(path))
    } catch let error where error.code == .exists {
      return false
    } catch let error where error.code == .missing {
      guard makingParents, let parent else {
        throw StorageError(.parentMissing, "make", path: parent ?? path, errno: error.errno)
      }
      _ = try makeFolder(at: parent, makingParents: true)
      return try makeFolder(at: path, makingParents: false)
    }
    if let folder = try folder(at: parent ?? ".") { try folder.sync() }
    return true
  }

  private static func parent(of path: String) -> String? {
    var bytes = ArraySlice(path.utf8)
    let slash = UInt8(ascii: "/")
    while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
    guard let last = bytes.lastIndex(of: slash), bytes.count > 1 else { return nil }
    return String(decoding: bytes[..<max(last, 1)], as: UTF8.self)
  }

  /// Refuses a folder that holds anything other than what an interrupted creation leaves.
  static func refuseOtherFiles(in directory: Directory) throws(StorageError) {
    for entry in try directory.entries() {
      let isOurs =
        switch (entry.text, entry.kind) {
        case (Layout.lock, .regular), (Layout.newMarker, .regular),
          (Layout.catalog, .regular), (Layout.catalogJournal, .regular):
          true
        case (Layout.staging?, .directory), (Layout.trash?, .directory),
          (Layout.quarantine?, .directory), (RelativePath.root?, .directory):
          try isBare(directory, entry.text ?? "")
        default: false
        }
      guard isOurs else {
        throw StorageError(.notEmpty, "make a library in", path: directory.file.path)
      }
    }
  }

  /// Whether one of the library's folders has no file in it.
  static func isBare(
    _ directory: Directory, _ name: String
  ) throws(StorageError) -> Bool {
    guard let folder = try directory.existing(name) else { return true }
    for entry in try folder.entries() {
      guard name == RelativePath.root, entry.text == RelativePath.thumbnails,
        entry.kind == .directory,
        try folder.existing(RelativePath.thumbnails)?.entries().isEmpty ?? true
      else { return false }
    }
    return true
  }
}
