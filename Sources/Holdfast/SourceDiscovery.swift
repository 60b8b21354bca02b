internal import HoldfastModel
internal import HoldfastStorage

/// Finds the sources among what a person named: files as they are, folders walked.
struct SourceDiscovery: Sendable {
  enum Found: Sendable {
    /// A file, and the name of the photo beside a movie that has the same name.
    case source(SourcePath, photo: String?)
    case refused(SourcePath, ImportFailure)
  }

  private var named: [SourcePath]
  private var walk: FolderWalk?
  private let findsPhotos: Bool
  /// The photos in the folder of the last movie.
  private var photos: FolderNames?

  /// Starts at what a person named.
  ///
  /// - Parameters:
  ///   - paths: Files and folders.
  ///   - findsPhotos: Whether movies are told with the photos beside them.
  init(_ paths: [SourcePath], findsPhotos: Bool) {
    named = paths.reversed()
    self.findsPhotos = findsPhotos
  }

  /// The next source; `nil` at the end. It reads folders, and waits for their disk.
  mutating func next() -> Found? {
    while true {
      while let entry = walk?.next() {
        if let found = found(entry) { return found }
      }
      walk = nil
      guard let path = named.popLast() else { return nil }
      if path.isFolder {
        walk = FolderWalk(path)
      } else {
        return found(named: path)
      }
    }
  }

  /// What is plainly no recording lies in every phone's folders, and is not worth a word there.
  private mutating func found(_ entry: FolderWalk.Entry) -> Found? {
    switch entry {
    case .file(let path, let kind):
      guard kind == .regular, !NotMedia.extensions.contains(path.pathExtension) else { return nil }
      return .source(path, photo: photo(beside: path))
    case .library(let path): return .refused(path, ImportFailure(Self.insideLibrary))
    case .unreadable(let path, let error): return .refused(path, ImportFailure(error, of: path))
    }
  }

  private mutating func found(named path: SourcePath) -> Found {
    if path.isInsideLibrary { return .refused(path, ImportFailure(Self.insideLibrary)) }
    if NotMedia.extensions.contains(path.pathExtension) {
      let error = LibraryError(
        .notARecording,
        "is a .\(path.pathExtension.escapedForDisplay) file, not a recording; "
          + "give a video or a sound file")
      return .refused(path, ImportFailure(error))
    }
    return .source(path, photo: photo(beside: path))
  }

  /// The photo that has a movie's name. A folder is listed once for all its movies in a row.
  private mutating func photo(beside path: SourcePath) -> String? {
    guard findsPhotos, LivePhoto.movieExtensions.contains(path.pathExtension) else { return nil }
    if photos.map({ !path.isDirectly(in: $0.folder) }) ?? true {
      photos = FolderNames(beside: path, withExtensions: LivePhoto.photoExtensions)
    }
    return photos?.companion(of: path)
  }

  private static let insideLibrary = LibraryError(
    .insideLibrary, "lies inside a Holdfast library, whose files are never a source")
}

/// Files that are plainly not media, by their extension.
enum NotMedia {
  static let extensions: Set<String> = [
    // Photos
    "jpg", "jpeg", "jpe", "png", "gif", "heic", "heif", "avif", "webp", "bmp", "tif", "tiff",
    "dng", "raw", "cr2", "cr3", "nef", "arw", "svg", "ico", "psd", "aae", "thm",
    // Documents
    "txt", "md", "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "rtf", "csv",
    "tsv", "json", "xml", "html", "htm", "log", "vcf", "ics", "epub", "db", "sqlite", "plist",
    "ini", "xmp",
    // Subtitles
    "srt", "vtt", "ass", "lrc",
    // Archives and programs
    "zip", "gz", "xz", "7z", "rar", "tar", "apk", "exe", "dmg", "iso",
  ]
}
