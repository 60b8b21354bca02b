internal import HoldfastModel

/// The two folders for published files.
struct RecordingFolders {
  let recordings: Directory
  let thumbnails: Directory

  /// Opens the folders, and makes those that are missing: a backup may have left out empty ones.
  init(in library: Directory) throws(StorageError) {
    recordings = try library.making(RelativePath.root)
    thumbnails = try recordings.making(RelativePath.thumbnails)
  }

  /// Returns the place of one of ``RelativePath/all(of:)``.
  func place(_ path: RelativePath) -> Place { folder(of: path).place(path.name) }

  /// Waits until the names of `paths` are on the disk.
  func sync(_ paths: some Sequence<RelativePath>) throws(StorageError) {
    var isInRecordings = false
    var isInThumbnails = false
    for path in paths {
      if isThumbnail(path) { isInThumbnails = true } else { isInRecordings = true }
    }
    if isInRecordings { try recordings.sync() }
    if isInThumbnails { try thumbnails.sync() }
  }

  private func folder(of path: RelativePath) -> Directory {
    isThumbnail(path) ? thumbnails : recordings
  }

  private func isThumbnail(_ path: RelativePath) -> Bool { path.components.count > 2 }
}
