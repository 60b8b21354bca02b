import Glibc
import HoldfastModel

/// The two folders for published files.
package struct RecordingFolders: Sendable {
  let recordings: Directory
  let thumbnails: Directory

  /// Opens the folders, and makes those that are missing: a backup may have left out empty ones.
  init(in library: Directory) throws(HoldfastError) {
    recordings = try library.making(RelativePath.root)
    thumbnails = try recordings.making(RelativePath.thumbnails)
  }

  init?(existingIn library: Directory) throws(HoldfastError) {
    guard let recordings = try library.existing(RelativePath.root),
      let thumbnails = try recordings.existing(RelativePath.thumbnails)
    else { return nil }
    (self.recordings, self.thumbnails) = (recordings, thumbnails)
  }

  /// Returns the place of one of ``RelativePath/all(of:)``.
  func place(_ path: RelativePath) -> DirectoryRelativePath { folder(of: path).place(path.name) }

  /// Waits until the names of `paths` are on the disk.
  func sync(_ paths: some Sequence<RelativePath>) throws(HoldfastError) {
    var isInRecordings = false
    var isInThumbnails = false
    for path in paths {
      if path.isInSubfolder { isInThumbnails = true } else { isInRecordings = true }
    }
    if isInRecordings { try recordings.sync() }
    if isInThumbnails { try thumbnails.sync() }
  }

  /// Waits until the files are on the disk, with their names. Missing files are skipped.
  ///
  /// A local disk syncs all files at once: one by one, each file would be a flush of its own.
  func syncFiles(_ paths: [RelativePath]) throws(HoldfastError) {
    guard SourceFile.isRemote(recordings.file) else {
      return try SystemCalls.syncFilesystem(of: recordings.file)
    }
    // A filesystem of a program or another machine may not support syncing all of it.
    for path in paths {
      guard let file = try folder(of: path).existingFile(path.name, O_RDONLY) else { continue }
      try SystemCalls.sync(file)
    }
    try sync(paths)
  }

  private func folder(of path: RelativePath) -> Directory {
    path.isInSubfolder ? thumbnails : recordings
  }
}
