import Glibc
import HoldfastModel

/// The folders for published files.
package struct RecordingFolders: Sendable {
  let recordings: Directory
  let thumbnails: Directory
  /// The folder of photos, which a library has only once it has a photo.
  let photos: Directory?

  /// Opens the folders, and makes those that are missing: a backup may have left out empty ones.
  ///
  /// - Parameter paths: The files that will be put there. Only for a photo is its folder made.
  init(in library: Directory, for paths: [RelativePath] = []) throws(HoldfastError) {
    recordings = try library.making(RelativePath.root)
    thumbnails = try recordings.making(RelativePath.thumbnails)
    photos =
      paths.contains { $0.subfolder == RelativePath.photos }
      ? try recordings.making(RelativePath.photos) : try recordings.existing(RelativePath.photos)
  }

  init?(existingIn library: Directory) throws(HoldfastError) {
    guard let recordings = try library.existing(RelativePath.root),
      let thumbnails = try recordings.existing(RelativePath.thumbnails)
    else { return nil }
    (self.recordings, self.thumbnails) = (recordings, thumbnails)
    photos = try recordings.existing(RelativePath.photos)
  }

  /// Returns the place of one of ``RelativePath/all(of:)``.
  func place(_ path: RelativePath) -> DirectoryRelativePath {
    // Without its folder, a photo is missing.
    folder(of: path)?.place(path.name)
      ?? recordings.place("\(RelativePath.photos)/\(path.name)")
  }

  /// Waits until the names of `paths` are on the disk.
  func sync(_ paths: some Sequence<RelativePath>) throws(HoldfastError) {
    let folders = Set(paths.map(\.subfolder))
    if folders.contains(nil) { try recordings.sync() }
    if folders.contains(RelativePath.thumbnails) { try thumbnails.sync() }
    if folders.contains(RelativePath.photos) { try photos?.sync() }
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
      guard let file = try folder(of: path)?.existingFile(path.name, O_RDONLY) else { continue }
      try SystemCalls.sync(file)
    }
    try sync(paths)
  }

  private func folder(of path: RelativePath) -> Directory? {
    switch path.subfolder {
    case nil: recordings
    case RelativePath.photos?: photos
    default: thumbnails
    }
  }
}
