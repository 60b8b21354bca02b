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
  private let library: Library
  private let other: OtherLibrary
  private let tree: LibraryTree
  private let report: @Sendable (MergeEvent) -> Void

  /// - Throws: ``LibraryError`` for a backup, which is there for when all else is lost.
  init(
    library: Library, other: OtherLibrary, report: @escaping @Sendable (MergeEvent) -> Void
  ) throws {
    guard case .library(let tree) = other.files, other.files.mayBeShared else {
      throw LibraryError(
        .invalidValue, "nothing is taken from a backup; merge it without removing its files")
    }
    self.library = library
    self.other = other
    self.tree = tree
    self.report = report
  }

  /// Removes the files of recordings that were merged.
  ///
  /// - Parameters:
  ///   - candidates: The other library's recordings. Those that this library still lacks are left alone.
  ///   - stop: Ends the work between two files.
  /// - Returns: Of how many recordings the files were removed.
  func take(_ candidates: [MergeCandidate], until stop: StopFlag) throws -> Int {
    try tree.withWriterLock(until: stop) { _ in
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
      stays(candidate, "this library's own file is not as its row says; holdfast verify")
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
