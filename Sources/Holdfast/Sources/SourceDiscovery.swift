import HoldfastModel
import HoldfastStorage

/// Finds the sources in the files and folders that a user named, and then in those of a list.
struct SourceDiscovery: Sendable {
  enum Found: Sendable {
    case source(SourceRoute)
    /// A file that an app describes.
    case described(SourceRoute, AppRecording)
    case refused(SourcePath, HoldfastError)
  }

  private struct Folder {
    let path: SourcePath
    var walk: FolderWalk
    /// Whether all of it is in the share, because its line of the list is.
    let isWholly: Bool

    init(_ path: SourcePath, isWholly: Bool) {
      self.path = path
      self.isWholly = isWholly
      // A link is followed here, because a person named it.
      walk = FolderWalk(SourceRoute(typed: path))
    }
  }

  private var named: [SourcePath]
  /// The files of an app, which come first.
  private var described: ArraySlice<Found> = []
  private var list: SourceList?
  private let share: ImportShare?
  private var folder: Folder?
  /// Whether links, and what is behind them, are left out.
  private let followsNoLinks: Bool

  init(
    _ paths: [SourcePath], listed list: SourceList? = nil, share: ImportShare? = nil,
    followingNoLinks followsNoLinks: Bool = false
  ) {
    self.followsNoLinks = followsNoLinks
    named = paths.reversed()
    self.list = list
    self.share = share
  }

  /// - Parameter described: The files of an app, and those that are refused.
  init(described: [Found]) {
    self.init([])
    self.described = described[...]
  }

  /// Returns the next source, or `nil` at the end. It reads folders, and may wait for their disk.
  mutating func next() throws -> Found? {
    if let found = described.popFirst() { return found }
    while true {
      while let entry = folder?.walk.next() {
        if isInShare(entry), let found = Self.found(entry) { return found }
      }
      folder = nil
      if let path = named.popLast() {
        if followsNoLinks, path.isFolder { continue }
        if path.isFolder {
          folder = Folder(path, isWholly: share == nil)
        } else if isInShare(named: path) {
          return found(named: path)
        }
      } else if let line = try list?.next() {
        guard share?.contains(line) ?? true else { continue }
        let path = SourcePath(bytes: line)
        guard path.isFolder else { return found(named: path) }
        folder = Folder(path, isWholly: true)
      } else {
        return nil
      }
    }
  }

  /// Whether an entry of the folder is in the share, by its path in that folder. A folder that
  /// cannot be read may have sources of each share.
  private func isInShare(_ entry: FolderWalk.Entry) -> Bool {
    guard let share, let folder, !folder.isWholly else { return true }
    switch entry {
    case .unreadable, .folder: return true
    case .file(let file, _): return share.contains(file.path.bytes(below: folder.path))
    case .library(let path): return share.contains(path.bytes(below: folder.path))
    }
  }

  /// Whether a path that is not a folder is in the share, by its name. A path without anything at
  /// it may be a folder whose disk is missing.
  private func isInShare(named path: SourcePath) -> Bool {
    guard let share, path.exists else { return true }
    return share.contains(path.nameBytes)
  }

  /// Returns `nil` for files that are plainly not recordings: every phone's folders have them, and
  /// they are not worth a message.
  private static func found(_ entry: FolderWalk.Entry) -> Found? {
    switch entry {
    case .file(let file, let kind):
      guard kind == .regular, !NotMedia.extensions.contains(file.path.pathExtension) else {
        return nil
      }
      return .source(file)
    case .library(let path): return .refused(path, insideLibrary)
    case .unreadable(let path, let error):
      return .refused(path, HoldfastError(itemFailure: error, of: path))
    case .folder: return nil
    }
  }

  private func found(named path: SourcePath) -> Found {
    if path.isInsideLibrary { return .refused(path, Self.insideLibrary) }
    if NotMedia.extensions.contains(path.pathExtension) {
      let error = HoldfastError(
        .notARecording,
        "is a .\(path.pathExtension.escapedForDisplay) file, not a recording",
        operation: "import")
      return .refused(path, error)
    }
    return .source(followsNoLinks ? SourceRoute(direct: path) : SourceRoute(typed: path))
  }

  private static let insideLibrary = HoldfastError(
    .insideLibrary, "is inside a Holdfast library, whose files cannot be imported")
}

extension SourcePath {
  /// The path's bytes from a folder on it, without the slash between them.
  fileprivate func bytes(below folder: SourcePath) -> ArraySlice<UInt8> {
    bytes.dropFirst(folder.bytes.count).drop { $0 == UInt8(ascii: "/") }
  }
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
