internal import Glibc
internal import HoldfastModel

extension LibraryTree {
  /// Refuses a library that does not lie on one filesystem: files could not be moved from staging
  /// into place, nor into the trash.
  ///
  /// - Throws: ``StorageError``: `otherFilesystem` with the folder's path, or what the system says.
  public func refuseOtherFilesystems() throws(StorageError) {
    try directory.refuseOtherFilesystems()
  }

  /// Refuses to go on when the library's folder is no longer where it was opened.
  ///
  /// The files are reached from the folder's descriptor, wherever it is now; but SQLite finds the
  /// catalog's journal by its path.
  ///
  /// - Throws: ``StorageError``: `libraryMoved`, or what the system says.
  func refuseIfMoved() throws(StorageError) {
    let identity = try directory.file.identity()
    guard let found = try SystemCalls.identity(of: Place(path), followingLinks: true),
      found.isSameFile(as: identity)
    else { throw StorageError(.libraryMoved, "find", path: path) }
  }
}

extension Directory {
  /// Refuses a library's folder of which a part is mounted from elsewhere, or is a subvolume of its
  /// own. A bind mount on the same disk counts too: `rename` and `link` refuse to cross it.
  func refuseOtherFilesystems() throws(StorageError) {
    let device = try file.identity().device
    let folders = [
      RelativePath.root, "\(RelativePath.root)/\(RelativePath.thumbnails)", Layout.staging,
      Layout.trash, Layout.quarantine,
    ]
    for name in folders {
      let folder: OpenFile
      do throws(StorageError) {
        let flags = SystemCalls.onlyToLookAt | O_DIRECTORY
        folder = try SystemCalls.openOnSameMount(place(name), flags)
      } catch let error where error.code == .missing || [ELOOP, ENOTDIR].contains(error.errno) {
        continue  // Not a folder of ours: each step that needs it says so.
      }
      guard try folder.identity().device == device else {
        throw StorageError(.otherFilesystem, "open", path: folder.path)
      }
    }
  }
}
