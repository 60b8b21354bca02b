internal import Foundation
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// Removes the files of another library that this one has.
///
/// Nothing is moved. A file that was moved here before its row was written would have no row after a kill, and recovery
/// would remove it. So a file goes only when this library has the same bytes under a name of its own, and a row of them:
/// as a second name of the file, or as a copy that is read once more before.
struct TakenFiles: Sendable {
  /// How many recordings' files are removed before the locks are given to others.
  private static let portion = 100

  private let library: Library
  private let other: OtherLibrary
  private let tree: LibraryTree
  private let report: @Sendable (MergeEvent) -> Void

  /// - Throws: ``LibraryError`` for a backup, which is there for when all else is lost, and for this library under
  ///   another path.
  init(
    library: Library, other: OtherLibrary, until stop: StopFlag,
    report: @escaping @Sendable (MergeEvent) -> Void
  ) throws {
    guard case .library(let tree) = other.files, other.files.mayBeShared else {
      throw LibraryError(
        .invalidValue, "nothing is taken from a backup; merge it without removing its files")
    }
    self.library = library
    self.other = other
    self.tree = tree
    self.report = report
    try refuseIfSeen(until: stop)
  }

  /// Refuses another library whose files this one shows as its own, such as an overlay of it.
  private func refuseIfSeen(until stop: StopFlag) throws {
    try refuseMounts()
    let isSeen = try tree.withWriterLock(until: stop) { lock in
      let staging = try tree.makeStaging(id: UUID(), under: lock)
      defer { try? staging.remove() }
      return try staging.isThere(in: library.tree)
    }
    guard isSeen else { return }
    throw LibraryError(
      .invalidValue, "\(tree.path.escapedForDisplay) is a part of this library; name another one",
      path: tree.path)
  }

  /// Removes the files of recordings that were merged.
  ///
  /// Both libraries are locked. Else two libraries that take from each other could both find a file in the other one, and
  /// both remove it.
  ///
  /// - Parameters:
  ///   - candidates: The other library's recordings. Those that this library still lacks are left alone.
  ///   - stop: Ends the work between two files.
  /// - Returns: Of how many recordings the files were removed.
  func take(_ candidates: [MergeCandidate], until stop: StopFlag) throws -> Int {
    let paths = try library.catalog.matches(of: candidates, in: other.catalog)
      .compactMap { $0?.version.recording.filePath }
    try library.tree.makeDurable(paths)
    var taken = 0
    // Others may write in between: a copy takes time to read.
    for start in stride(from: 0, to: candidates.count, by: Self.portion) {
      let portion = Array(candidates[start..<min(start + Self.portion, candidates.count)])
      taken += try library.tree.withWriterLocks(and: tree, until: stop) {
        try takePortion(portion, until: stop)
      }
    }
    return taken
  }

  private func takePortion(_ candidates: [MergeCandidate], until stop: StopFlag) throws -> Int {
    try refuseMounts()
    var taken = 0
    let matches = try library.catalog.matches(of: candidates, in: other.catalog)
    for (candidate, match) in zip(candidates, matches) {
      guard let own = match?.version.recording else { continue }
      try stop.check()
      do {
        if try take(candidate, knownAs: own, until: stop) { taken += 1 }
      } catch let error where !(error is CancellationError) {
        stays(candidate, LibraryError(itemFailure: error).description)
      }
    }
    return taken
  }

  /// Refuses a library in which something is mounted: it may be the other one's, by a filesystem that shows files of
  /// another place.
  private func refuseMounts() throws {
    for tree in [library.tree, tree] { try tree.refuseOtherFilesystems() }
  }

  private func take(
    _ candidate: MergeCandidate, knownAs own: Recording, until stop: StopFlag
  ) throws -> Bool {
    let theirs = candidate.version.recording
    let file: OpenFile
    do throws(StorageError) { file = try other.files.open(theirs.filePath) } catch {
      guard error.code == .missing else { throw error }
      // It was taken before.
      return false
    }
    guard own.ingestion.fileSHA256 == theirs.ingestion.fileSHA256 else {
      stays(candidate, "this library has another file of the recording")
      return false
    }
    let identity = try file.identity()
    guard try has(own, identity, until: stop) else {
      stays(candidate, "this library's own file is not as its row says, or is the same one")
      return false
    }
    guard try remove(theirs.filePath, identity) else {
      stays(candidate, "it has changed")
      return false
    }
    if let path = theirs.thumbnailPath, let thumbnail = try? other.files.open(path) {
      _ = try remove(path, thumbnail.identity())
    }
    return true
  }

  /// Whether this library has a recording's file: the one with this identity, under a name of its own, or one with the
  /// bytes that the row names.
  private func has(
    _ own: Recording, _ identity: FileIdentity, until stop: StopFlag
  ) throws -> Bool {
    let file = try library.tree.openForReading(own.filePath)
    guard
      try !folder(of: own.filePath, in: library.tree)
        .isSameFile(as: folder(of: own.filePath, in: tree))
    else { return false }
    if try file.identity().isSameFile(as: identity) { return true }
    return try file.sha256 { try stop.check() } == own.ingestion.fileSHA256
  }

  private func folder(of path: RelativePath, in tree: LibraryTree) throws -> FileIdentity {
    try place(of: path, in: tree).folder.identity()
  }

  private func place(of path: RelativePath, in tree: LibraryTree) -> SourcePath {
    SourcePath(tree.path).appending(path.string.utf8)
  }

  private func remove(_ path: RelativePath, _ identity: FileIdentity) throws -> Bool {
    try SourceFile.remove(place(of: path, in: tree), ifStill: identity) == .removed
  }

  private func stays(_ candidate: MergeCandidate, _ reason: String) {
    let path = place(of: candidate.version.recording.filePath, in: tree)
    report(.stays(path: path.description, reason: reason))
  }
}
