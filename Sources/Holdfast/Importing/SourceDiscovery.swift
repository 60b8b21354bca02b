internal import HoldfastModel
internal import HoldfastStorage

/// Finds the sources in the files and folders that a user named.
struct SourceDiscovery: Sendable {
  enum Found: Sendable {
    case source(SourcePath)
    case refused(SourcePath, LibraryError)
  }

  private var named: [SourcePath]
  private var walk: FolderWalk?

  init(_ paths: [SourcePath]) { named = paths.reversed() }

  /// Returns the next source, or `nil` at the end. It reads folders, and may wait for their disk.
  mutating func next() -> Found? {
    while true {
      while let entry = walk?.next() {
        if let found = Self.found(entry) { return found }
      }
      walk = nil
      guard let path = named.popLast() else { return nil }
      if path.isFolder {
        walk = FolderWalk(path)
      } else {
        return Self.found(named: path)
      }
    }
  }

  /// Returns `nil` for files that are plainly not recordings: every phone's folders have them, and
  /// they are not worth a message.
  private static func found(_ entry: FolderWalk.Entry) -> Found? {
    switch entry {
    case .file(let path, let kind):
      guard kind == .regular, !NotMedia.extensions.contains(path.pathExtension) else { return nil }
      return .source(path)
    case .library(let path): return .refused(path, insideLibrary)
    case .unreadable(let path, let error):
      return .refused(path, LibraryError(itemFailure: error, of: path))
    case .folder: return nil
    }
  }

  private static func found(named path: SourcePath) -> Found {
    if path.isInsideLibrary { return .refused(path, insideLibrary) }
    if NotMedia.extensions.contains(path.pathExtension) {
      let error = LibraryError(
        .notARecording,
        "is a .\(path.pathExtension.escapedForDisplay) file, not a recording; "
          + "give a video or a sound file")
      return .refused(path, error)
    }
    return .source(path)
  }

  private static let insideLibrary = LibraryError(
    .insideLibrary, "is inside a Holdfast library, whose files cannot be imported")
}

/// Files that are plainly not audio or video, by their extensions.
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
