import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// Recordings that both libraries have.
extension MergedFiles {
  /// Commits changes of rows that need no files, all together.
  ///
  /// - Returns: The other library's recordings whose match was changed meanwhile.
  func writeRows(_ merges: [Merge]) async throws -> [MergeCandidate] {
    let tree = try library.writableTree()
    await previous?.end()
    return try await onOwnThread { stop in
      try tree.withWriterLock(until: stop) { _ in
        let matches = try other.catalogs.matches(of: merges.map(\.other))
        let current = zip(merges, matches).filter { $0.own == $1 }.map(\.0)
        try other.catalogs.write(current)
        return zip(merges, matches).filter { $0.own != $1 }.map(\.0.other)
      }
    }
  }

  /// Puts the files of a recording that both libraries have in their places, and writes its row.
  ///
  /// - Returns: The bytes that were added; `nil` if the recording was changed meanwhile.
  func replace(_ merge: Merge) async throws -> Int64? {
    await previous?.end()
    return try await withStaging { staging in
      let tree = try library.writableTree()
      return try await onOwnThread { stop in
        let isDone: Bool
        do {
          isDone =
            merge.merged.recording.id != merge.own.id
            ? try rename(merge, through: staging, in: tree, until: stop)
            : try remake(merge, through: staging, in: tree, until: stop)
        } catch let error as HoldfastError where error.layer == .storage && error.code == .missing {
          // Another merge may have given the recording another ID meanwhile.
          guard try isCurrent(merge) else { return nil }
          throw error
        }
        guard isDone else { return nil }
        return merge.merged.takesFile ? merge.merged.recording.ingestion.fileSize : 0
      }
    }
  }

  /// Gives a recording another ID, and so other files.
  ///
  /// - Returns: `false`, with nothing done, if it has changed since it was compared.
  private func rename(
    _ merge: Merge, through staging: Staging, in tree: LibraryTree, until stop: StopFlag
  ) throws -> Bool {
    let (own, recording) = (merge.own.version.recording, merge.merged.recording)
    let media = recording.filePath.name
    if merge.merged.takesFile {
      try bringMedia(
        of: merge.other.version.recording, as: media, to: staging, sharing, until: stop)
    } else {
      // The file, or its copy, gets a second name. Its row has its hash.
      let file = try tree.openForReading(own.filePath)
      let hash = try staging.bring(file, as: media, by: FileSharing(isAllowed: true), until: stop)
      try Self.check(hash, of: own)
    }
    var lacking: Set<RelativePath> = []
    if let thumbnail = recording.thumbnailPath {
      let hasThumbnail =
        merge.merged.takesThumbnail
        ? try bringThumbnail(
          of: merge.other.version.recording, as: thumbnail, to: staging, sharing, until: stop)
        : try bringThumbnail(
          own.ingestion.thumbnailSHA256, as: thumbnail, to: staging, FileSharing(isAllowed: true),
          until: stop
        ) {
          try own.thumbnailPath.map(tree.openForReading)
        }
      if !hasThumbnail { lacking.insert(thumbnail) }
    }
    try staging.seal(recordings: [recording.id])
    return try tree.withWriterLock(until: stop) { lock in
      guard try isCurrent(merge) else { return false }
      let publication = Publication(
        library: library, recordings: [recording], lacking: lacking, staging: staging)
      try publication.run(under: lock) {
        let paths = [own.filePath, own.thumbnailPath].compactMap(\.self)
        try Deletion(of: own.id, paths: paths, in: tree).run(
          under: lock, hasRow: library.catalog.recordings.contains
        ) {
          try other.catalogs.write([merge])
        }
      }
      return true
    }
  }

  /// Replaces the files of a recording that keeps its ID.
  ///
  /// - Returns: As ``rename(_:through:in:until:)`` does.
  private func remake(
    _ merge: Merge, through staging: Staging, in tree: LibraryTree, until stop: StopFlag
  ) throws -> Bool {
    let (recording, others) = (merge.merged.recording, merge.other.version.recording)
    var remade: [RemadeFile] = []
    if merge.merged.takesFile {
      try bringMedia(of: others, as: recording.filePath.name, to: staging, sharing, until: stop)
      remade.append(RemadeFile(path: recording.filePath, hash: others.ingestion.fileSHA256))
    }
    if merge.merged.takesThumbnail, let path = recording.thumbnailPath,
      let hash = others.ingestion.thumbnailSHA256
    {
      guard try bringThumbnail(of: others, as: path, to: staging, sharing, until: stop) else {
        throw HoldfastError(
          .notMerged,
          "its thumbnail in the other library is missing or damaged",
          operation: "merge the thumbnail")
      }
      let note = try merge.other.version.thumbnail.map {
        String(decoding: try JSONFormat.encoder.encode($0), as: UTF8.self)
      }
      remade.append(RemadeFile(path: path, hash: hash, note: note))
    }
    try staging.seal(remade: remade)
    return try tree.withWriterLock(until: stop) { lock in
      guard try isCurrent(merge) else { return false }
      if let failure = try staging.publish(remade: remade, under: lock).first {
        // Another file may have its name already. Then recovery must update the row.
        staging.leaveToRecovery()
        throw failure.value
      }
      do { try other.catalogs.write([merge]) } catch {
        // The files have their names already, so recovery must update the row.
        staging.leaveToRecovery()
        throw error
      }
      return true
    }
  }

  private func isCurrent(_ merge: Merge) throws -> Bool {
    try library.refuseIfOffline("nothing more was merged")
    return try other.catalogs.matches(of: [merge.other]) == [merge.own]
  }
}
