import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// Removes the files of another library that this one has.
///
/// Nothing is moved. A file that was moved here before its row was written would have no row after
/// a kill, and recovery would remove it. So a file is removed only when this library has the same
/// bytes under a name of its own, and a row for them: as a second name of the file, or as a copy.
/// With a copy, both are read once more before.
struct SourceRemoval: Sendable {
  /// The number of files that are read before the locks are given to others.
  private static let portion = 100

  private let library: Library
  private let other: OtherLibrary
  let tree: LibraryTree
  private let report: @Sendable (MergeEvent) -> Void

  /// - Throws: `HoldfastError` for a backup, which is for when all else is lost, and for this
  ///   library under another path.
  init(
    library: Library, other: OtherLibrary, report: @escaping @Sendable (MergeEvent) -> Void
  ) throws {
    guard case .library(let tree) = other.files, other.files.mayBeShared else {
      throw HoldfastError(
        .invalidValue, "no files are removed from a backup", operation: "remove the sources")
    }
    guard try !library.tree.sharesLock(with: tree) else {
      throw HoldfastError(
        .invalidValue,
        "\(tree.path.escapedForDisplay) has its files in common with this library, even the lock",
        operation: "remove the sources", path: tree.path)
    }
    self.library = library
    self.other = other
    self.tree = tree
    self.report = report
    try refuseMounts()
  }

  /// Refuses another library whose files this one shows as its own, such as an overlay of it. To
  /// find that out, a folder is made in the other library for a moment.
  func refuseIfSeen(until stop: StopFlag) throws {
    let isSeen = try tree.withWriterLock(until: stop) { lock in
      let staging = try tree.makeStaging(id: UUID(), under: lock)
      defer { try? staging.remove() }
      return try staging.isThere(in: library.tree)
    }
    guard isSeen else { return }
    throw HoldfastError(
      .invalidValue, "\(tree.path.escapedForDisplay) is a part of this library",
      operation: "merge", path: tree.path)
  }

  /// Removes the files of recordings that were added just now, and whose rows are committed. Both
  /// libraries are still locked.
  ///
  /// - Parameter named: The files that have got a second name in this library.
  /// - Returns: The recordings whose files were removed. ``remove(_:until:)`` checks the others,
  ///   and reports why they stay.
  func remove(
    _ candidates: [MergeCandidate], named: [RelativePath: FileIdentity]
  ) -> Set<RecordingID> {
    guard (try? refuseMounts()) != nil, let folders = try? FolderPair(library.tree, tree) else {
      return []
    }
    // They are in another folder, so neither waits for the other.
    let thumbnails = WorkAlongside { [self] in
      for candidate in candidates where named[candidate.version.recording.filePath] != nil {
        removeThumbnail(of: candidate.version.recording, folders)
      }
    }
    thumbnails.start()
    var removed: Set<RecordingID> = []
    for candidate in candidates {
      let path = candidate.version.recording.filePath
      guard let identity = named[path],
        (try? folders.removeOther(path, ifStill: identity)) == true
      else { continue }
      removed.insert(candidate.id)
    }
    try? thumbnails.value()
    return removed
  }

  /// Removes the files of recordings that were merged.
  ///
  /// Both libraries are locked. Otherwise two merges in opposite directions could both find a file
  /// in the other library, and both remove it.
  ///
  /// - Parameter candidates: The other library's recordings. Recordings that this library still
  ///   lacks are left alone.
  /// - Returns: The number of recordings whose files were removed.
  func remove(_ candidates: [MergeCandidate], until stop: StopFlag) throws -> Int {
    try library.tree.makeDurable {
      try other.catalogs.files(matching: candidates).compactMap { $0?.path }
    }
    var (removed, waiting) = (0, candidates[...])
    while !waiting.isEmpty {
      removed += try library.tree.withWriterLocks(and: tree, until: stop) { _ in
        try removePortion(of: &waiting, until: stop)
      }
    }
    return removed
  }

  /// Removes the files of some recordings, and drops these from `waiting`. Other commands may write
  /// in between, because a copy takes time to read.
  private func removePortion(
    of waiting: inout ArraySlice<MergeCandidate>, until stop: StopFlag
  ) throws -> Int {
    try refuseMounts()
    guard let folders = try FolderPair(library.tree, tree) else {
      waiting = []
      return 0
    }
    var (removed, read) = (0, 0)
    let matches = try other.catalogs.files(matching: Array(waiting))
    for match in matches where read < Self.portion {
      let candidate = waiting.removeFirst()
      guard let (path, hash) = match else { continue }
      try stop.check()
      do {
        if try remove(candidate, at: path, hash: hash, in: folders, &read, until: stop) {
          removed += 1
        }
      } catch let error where !(error is CancellationError) {
        stays(candidate, HoldfastError(itemFailure: error).explanation)
      }
    }
    return removed
  }

  /// Refuses a library in which something is mounted: the mount may show the other library's files.
  private func refuseMounts() throws {
    for tree in [library.tree, tree] { try tree.refuseOtherFilesystems() }
  }

  /// Removes a recording's files from the other library, if this one has the same bytes.
  ///
  /// - Parameters:
  ///   - hash: The SHA-256 of this library's file, as its row has it.
  ///   - read: Counts the files that had to be read.
  private func remove(
    _ candidate: MergeCandidate, at path: RelativePath?, hash: SHA256Digest?,
    in folders: FolderPair, _ read: inout Int, until stop: StopFlag
  ) throws -> Bool {
    let theirs = candidate.version.recording
    guard theirs.filePath == .media(theirs.type, id: theirs.id), let path, path.recordingID != nil
    else {
      stays(candidate, "its row names a path that is not the recording's")
      return false
    }
    let standing = try folders.standing(of: theirs.filePath, beside: path)
    if case .missing = standing {
      // The file was removed before, but a kill may have left its thumbnail there.
      removeThumbnail(of: theirs, folders)
      return false
    }
    guard hash == theirs.ingestion.fileSHA256 else {
      stays(candidate, "this library has another file of the recording")
      return false
    }
    let identity: FileIdentity
    if case .sameFile(let file) = standing {
      identity = file
    } else {
      read += 1
      let file = try library.tree.openForReading(path)
      guard try file.sha256(until: stop) == hash else {
        stays(candidate, "this library's own file is not as its row says")
        return false
      }
      let other = try tree.openForReading(theirs.filePath)
      identity = try other.identity()
      guard identity.size == theirs.ingestion.fileSize,
        try other.sha256(until: stop) == hash
      else {
        stays(candidate, "it is not the file that its row names")
        return false
      }
    }
    guard try folders.removeOther(theirs.filePath, ifStill: identity, unchanged: true) else {
      stays(candidate, "it is not a file, or was changed just now")
      return false
    }
    removeThumbnail(of: theirs, folders)
    return true
  }

  /// Notes in the other library which of these recordings' files are gone: removed, or missing
  /// before. Without these notes, a library whose files were all removed would seem to miss its
  /// disk.
  func noteMissing(_ candidates: [MergeCandidate]) {
    let gone = candidates.filter {
      (try? tree.status(of: $0.version.recording.filePath)) == .missing
    }
    guard !gone.isEmpty else { return }
    let catalog = try? Catalog(
      path: tree.catalogFile.path, access: .writing, journals: library.catalog.journals.known)
    try? catalog?.files.setFaults(
      Dictionary(gone.map { ($0.id, .missing) }, uniquingKeysWith: { $1 }), at: Date())
  }

  /// Names the photos, which are copied and stay in the other library.
  func namePhotos() throws {
    for photo in try other.catalogs.other.files.photos(after: nil, through: nil) {
      guard try tree.status(of: photo.ownPath) != .missing else { continue }
      let path = SourcePath(tree.path).appending(photo.filePath.utf8)
      report(.stays(path: path.description, reason: "a photo is copied, and not removed"))
    }
  }

  /// Removes a thumbnail from the other library. It can be made again from the file.
  private func removeThumbnail(of recording: Recording, _ folders: FolderPair) {
    guard recording.type == .video else { return }
    _ = try? folders.removeOther(.thumbnail(id: recording.id))
  }

  private func stays(_ candidate: MergeCandidate, _ reason: String) {
    let path = SourcePath(tree.path).appending(candidate.version.recording.filePath.string.utf8)
    report(.stays(path: path.description, reason: reason))
  }
}
