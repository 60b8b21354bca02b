internal import Glibc
internal import HoldfastModel

extension LibraryTree {
  /// Refuses a library that is not on one filesystem: files could not be moved from staging into
  /// place, nor into the trash.
  ///
  /// - Throws: ``StorageError``: `otherFilesystem` with the folder's path, or a system error.
  public func refuseOtherFilesystems() throws(StorageError) {
    try directory.refuseOtherFilesystems()
  }

  /// Refuses to continue when the library's folder is no longer where it was opened.
  ///
  /// Files are reached through the folder's descriptor, wherever the folder is now. But SQLite
  /// finds the catalog's journal by its path.
  ///
  /// - Throws: ``StorageError``: `libraryMoved`, or a system error.
  func refuseIfMoved() throws(StorageError) {
    let identity = try directory.file.identity()
    guard let found = try SystemCalls.identity(of: Place(path), followingLinks: true),
      found.isSameFile(as: identity)
    else { throw StorageError(.libraryMoved, "find", path: path) }
  }
}

extension Directory {
  /// Refuses a library's folder if a part of it is mounted from elsewhere, or is a subvolume.
  ///
  /// A bind mount on the same disk counts too, because `rename` and `link` refuse to cross it.
  func refuseOtherFilesystems() throws(StorageError) {
    let device = try file.identity().device
    let folders = [
      RelativePath.root, "\(RelativePath.root)/\(RelativePath.thumbnails)", Layout.staging,
      Layout.trash, Layout.quarantine, Layout.cache,
    ]
    for name in folders {
      let folder: OpenFile
      do throws(StorageError) {
        let flags = SystemCalls.onlyToLookAt | O_DIRECTORY
        folder = try SystemCalls.openOnSameMount(place(name), flags)
      } catch let error where error.code == .missing || [ELOOP, ENOTDIR].contains(error.errno) {
        continue  // Not one of our folders. Each step that needs it reports that.
      }
      guard try folder.identity().device == device else {
        throw StorageError(.otherFilesystem, "open", path: folder.path)
      }
    }
  }
}
