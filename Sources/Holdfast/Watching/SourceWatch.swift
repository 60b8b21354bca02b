import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

/// A file that is complete, in a folder that is watched.
public struct WatchedFile: Codable, Hashable, Sendable {
  let file: CompleteFile

  /// The file's path, escaped for display.
  public var displayPath: String { file.path.description }

  /// Whether removing the file would remove it from other devices too, because Syncthing shares a
  /// folder above it.
  public var isSynced: Bool { file.path.syncedFolder != nil }
}

/// Watches folders for recordings, so that they are imported as they come.
///
/// It names the files that are there, and then each that is complete: one that a program has closed
/// or moved there, or, on the disk of another machine, one that has kept its size for a minute. It
/// leaves out files that are plainly not recordings, hidden files, and the files that browsers and
/// Syncthing give another name when they are complete. It may name a file again; import with
/// ``ImportOptions/remembersSources``, so that nothing is read twice.
///
/// ```swift
/// let watch = try SourceWatch(
///   ["/home/ada/Phone"], until: pipe.fileHandleForReading.fileDescriptor)
/// while let change = try watch.next() {
///   guard case .complete(let files) = change else { continue }
///   let run = try library.importRecordings(watched: files, options: options)
///   for try await event in run { print(event) }
/// }
/// ```
///
/// Only one thread may use it. It starts no other thread, so that a process in which nothing
/// happens sleeps.
public final class SourceWatch {
  /// What a person or a program should know.
  public enum Change: Sendable {
    /// These files are complete.
    case complete([WatchedFile])
    /// A folder is gone. It is watched again when it is back.
    case gone(folder: String)
    /// A folder is there again.
    case back(folder: String)
    /// A folder could not be read or watched.
    case unreadable(HoldfastError)
  }

  private let watch: FolderWatch

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - paths: Folders, with all folders in them.
  ///   - end: A descriptor, lent for as long as the watch lives, that can be read when the watch
  ///     has to end: of a pipe, a signalfd, an eventfd.
  /// - Throws: `HoldfastError` when a folder is not there, is in a library, or is watched already.
  public init(_ paths: [String], until end: CInt) throws {
    let paths = paths.map { SourcePath($0) }
    if let path = paths.first(where: \.isInsideLibrary) {
      throw HoldfastError(
        .insideLibrary, "\(path) is inside a Holdfast library, whose files cannot be imported",
        path: "\(path)")
    }
    watch = try FolderWatch(paths, until: end) { path in
      !NotMedia.extensions.contains(path.pathExtension) && !path.isIncomplete
        && !path.isInsideLibrary
    }
  }

  /// Waits for the next change; `nil` once the watch has to end.
  ///
  /// - Throws: `HoldfastError` when the system refuses to watch any longer.
  public func next() throws -> Change? {
    switch try watch.next() {
    case nil: nil
    case .complete(let files): .complete(files.map { WatchedFile(file: $0) })
    case .gone(let path): .gone(folder: "\(path)")
    case .back(let path): .back(folder: "\(path)")
    case .unreadable(_, let error): .unreadable(error)
    }
  }

  /// Names a file again after a while, because it could not be imported now.
  public func retry(_ file: WatchedFile, after delay: Duration) {
    watch.retry(file.file, after: delay)
  }

  /// Names all files now that wait for a retry, because what they wait for is there again.
  public func retryAll() { watch.retryAll() }

  /// Can be read when something has happened in the folders.
  public var descriptor: CInt { watch.descriptor }

  /// Notes what has happened in the folders. Call it when ``descriptor`` can be read while files
  /// are imported: what another user's file was when it was closed is known only at once.
  ///
  /// - Throws: `HoldfastError` when the system refuses to watch any longer.
  public func applyEvents() throws { try watch.applyEvents() }

  /// The folder above a path, or at it, that Syncthing shares; `nil` if there is none. What is
  /// removed there is removed from other devices too.
  public static func syncedFolder(of path: String) -> String? {
    SourcePath(path).syncedFolder.map { "\($0)" }
  }
}

extension SourcePath {
  /// Whether the name is one that a program gives to a file until it is complete, or to a copy of
  /// an edited one. Hidden names, such as those of Syncthing and rsync, are skipped already.
  fileprivate var isIncomplete: Bool {
    let name = name.lowercased()
    return name.hasPrefix("~") || name.hasSuffix("~")
      || [
        ".part", ".partial", ".crdownload", ".download", ".opdownload", ".filepart", ".tmp",
        ".temp",
        ".!ut", ".!qb", ".aria2",
      ].contains(where: name.hasSuffix)
  }
}

extension ImportItem {
  /// The file, if a watch named it.
  public var watchedFile: WatchedFile? {
    named.map { WatchedFile(file: CompleteFile(path: path, identity: $0)) }
  }

  /// Whether nothing has the source's path any longer.
  public var isGone: Bool { uploadedName == nil && path.isMissing }
}

extension HoldfastError {
  /// Whether the same import may succeed later, although the source did not change: the disk was
  /// full, another program held a lock, the library's disk was not there.
  public var mayPass: Bool {
    switch code {
    case .noSpace, .full, .locked, .offline, .noLibrary, .sourceChanged, .recordingLost,
      .otherComputer, .libraryMoved, .inputOutput, .system, .notPermitted:
      true
    // The worker had not enough memory for this file. A thread is started without any file.
    case .memory: operation != nil
    // An answer that makes no sense is the file's work.
    case .worker: operation != "answer"
    default: false
    }
  }
}
