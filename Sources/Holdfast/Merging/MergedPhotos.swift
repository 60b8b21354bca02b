import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// The photos of another library that this one lacks. Their files come first, and their rows with
/// the other records.
struct MergedPhotos: Sendable {
  let library: Library
  let other: OtherLibrary
  /// The hashes of the photos whose files can be brought, or have been.
  private(set) var hashes: [UUID: SHA256Digest] = [:]
  /// The photos that cannot be brought.
  private(set) var failures: [(id: UUID, error: HoldfastError)] = []
  private var staging: Staging?

  /// Finds the photos that this library lacks, and brings their files into staging.
  ///
  /// - Throws: Errors of this library's disk, and `CancellationError`.
  init(of other: OtherLibrary, into library: Library, isDryRun: Bool) async throws {
    (self.library, self.other) = (library, other)
    let (rows, lost) = try await onOwnThread { stop in
      var (rows, lost) = ([StoredFiles](), [StoredFiles]())
      for row in try other.catalogs.other.files.photos(after: nil, through: nil) {
        if let own = try library.catalog.files.find(id: row.id) {
          let path = row.ownPath
          let file = try? other.files.open(path, insteadOf: path, row.fileSHA256)
          guard (try? file?.identity().size) == row.fileSize else { continue }
          if try !library.has(own, until: stop) { lost.append(row) }
        } else {
          rows.append(row)
        }
      }
      return (rows, lost)
    }
    failures = lost.map { row in
      // A user who then removed the other library would remove the only copy.
      let error = HoldfastError(
        .recordingLost,
        "the photo is missing or damaged in this library, and the other library has it",
        path: other.path)
      return (row.id, error)
    }
    guard !rows.isEmpty else { return }
    let staging = isDryRun ? nil : try await library.writableTree().makeStaging()
    self.staging = staging
    do {
      let sharing = FileSharing(isAllowed: other.files.mayBeShared)
      let (brought, failed) = try await onOwnThread { stop in
        var (hashes, failures) = ([UUID: SHA256Digest](), [(id: UUID, error: HoldfastError)]())
        for row in rows {
          try stop.check()
          do {
            try library.refuseForeignFile(inPlaceOf: row, until: stop)
            try Self.bring(row, of: other, to: staging, sharing, until: stop)
            hashes[row.id] = row.fileSHA256
          } catch let error where !(error is CancellationError || error is WritingFailure) {
            try? staging?.removeFile(named: row.ownPath.name)
            failures.append((row.id, HoldfastError(itemFailure: error)))
          }
        }
        try staging?.seal(recordings: Array(hashes.keys))
        return (hashes, failures)
      }
      hashes = brought
      failures += failed
    } catch {
      try? staging?.remove()
      throw error
    }
  }

  private static func bring(
    _ row: StoredFiles, of other: OtherLibrary, to staging: Staging?, _ sharing: FileSharing,
    until stop: StopFlag
  ) throws {
    let path = row.ownPath
    let file = try other.files.open(path, insteadOf: path, row.fileSHA256)
    let isWhole = try file.identity().size == row.fileSize && row.fileSize <= PhotoLimit.mostBytes
    guard isWhole, let staging else {
      if isWhole { return }
      throw damaged
    }
    let hash =
      try staging.bring(file, as: path.name, by: sharing, until: stop)
      ?? file.sha256(until: stop)
    guard hash == row.fileSHA256 else { throw damaged }
  }

  private static let damaged = HoldfastError(
    .notMerged, "its file in the other library is not the one that its row names; it is damaged")

  /// Publishes the files, and writes the rows.
  ///
  /// - Parameter write: Writes the rows in one transaction. It may leave some out, such as those
  ///   of an entry that could not be merged; their files are then removed.
  func publish(_ write: () throws -> DataImportReport) throws -> DataImportReport {
    let ids = Array(hashes.keys)
    guard let staging, !ids.isEmpty else { return try library.whileEditing(write) }
    let tree = try library.writableTree()
    let (report, areAllThere) = try tree.withWriterLock { lock in
      try HoldfastError.checkingRules {
        try library.refuseIfOffline("no photo was merged")
        let publication = Publication(library: library, photos: hashes, staging: staging)
        let report = try publication.run(under: lock, inserting: write)
        let areAllThere = try ids.allSatisfy(library.catalog.files.contains)
        if !areAllThere { staging.leaveToRecovery() }
        _ = try? library.catalog.compaction.runIfSmall()
        return (report, areAllThere)
      }
    }
    remove()
    if !areAllThere {
      let hashes = RecoveryHashes()
      let recovery = LibraryRecovery(tree: tree, catalog: library.catalog, hashes: hashes)
      try tree.withWriterLock { lock in _ = try recovery.run(under: lock) }
    }
    return report ?? DataImportReport([])
  }

  /// Removes what was not published. Recovery removes what cannot be removed.
  func remove() { try? staging?.remove() }
}

extension Library {
  /// Refuses a photo in whose place another file is, such as a damaged one whose row was lost.
  fileprivate func refuseForeignFile(inPlaceOf photo: StoredFiles, until stop: StopFlag) throws {
    guard try tree.status(of: photo.ownPath) != .missing,
      try !tree.hasBytes(photo.fileSHA256, at: photo.ownPath, until: stop)
    else { return }
    throw HoldfastError(
      .notMerged, "another file is in its place; repair the library, which moves that away",
      path: "\(photo.ownPath)")
  }

  /// Whether a photo's file is here, as far as its size and what was found tell. One that was found
  /// damaged is read, because it may have been repaired.
  fileprivate func has(_ photo: StoredFiles, until stop: StopFlag) throws -> Bool {
    guard photo.fault == nil else {
      return try tree.hasBytes(photo.fileSHA256, at: photo.ownPath, until: stop)
    }
    return (try? tree.openForReading(photo.ownPath).identity().size) == photo.fileSize
  }
}
