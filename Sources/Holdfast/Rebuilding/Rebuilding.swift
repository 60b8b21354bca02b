import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// One rebuilding of a library's catalog.
///
/// Everything happens in staging, on copies. The new catalog takes its place in one step, when it
/// is complete and on the disk.
struct Rebuilding: Sendable {
  let tree: LibraryTree
  let engine: any MediaEngine
  let journals: [Journal]
  let report: @Sendable (RebuildEvent) -> Void

  /// The names in staging. SQLite may keep a journal beside each.
  private static let (damaged, new) = ("damaged", "new")

  func run() async throws {
    let staging = try await tree.makeStaging()
    defer { try? staging.remove() }
    try refuseWithoutRecordings()
    let (copy, files) = try await onOwnThread { stop in
      try tree.withWriterLock(until: stop) { lock in
        try tree.catalogFile.copy(as: Self.damaged, to: staging, under: lock)
      }
    }
    let file = try staging.createFile(named: Self.new)
    let rebuilt = try await onOwnThread { _ in
      let rebuilt = try salvage(copy, to: file)
      // First, because the file of a recording whose row cannot be read is a lost one too.
      for lost in try rebuilt.deleteUnreadable() {
        report(.leftOut(lost.kind, id: lost.id.escapedForDisplay, reason: lost.reason))
      }
      return rebuilt
    }
    let made = try await addLostRecordings(to: rebuilt)
    let count = try await onOwnThread { _ in
      try rebuilt.settle()
      try reportKept(rebuilt.catalog, made: made, salvaged: copy != nil)
      return try complete(rebuilt, in: file)
    }
    let quarantine = try await onOwnThread { stop in
      try stop.check()
      return try tree.withWriterLock(until: stop) { lock in
        let quarantine = try tree.catalogFile.replace(
          with: Self.new, from: staging, unlessChangedSince: files, under: lock)
        // The new catalog counts its words from 0 again.
        try? tree.wordIndexFile.remove()
        makePrivate(under: lock)
        return quarantine
      }
    }
    report(.finished(recordings: count, quarantine: quarantine))
  }

  /// Makes the library's folders and files private: other programs may have copied them to where
  /// they are. Files that cannot be made private are left for a verification to find.
  private func makePrivate(under lock: borrowing WriterLock) {
    guard tree.modeOfMount == nil else { return }
    var entries = (try? tree.contents.ownEntries()) ?? []
    try? tree.contents.scan { entries.append($0) }
    for entry in entries {
      guard let mode = entry.privatePermissions, entry.identity.permissions != mode else {
        continue
      }
      try? tree.makePrivate(entry, under: lock)
    }
  }

  /// Refuses a library without its folder of recordings: their disk may not be mounted, and a
  /// catalog that is rebuilt without them would have none.
  private func refuseWithoutRecordings() throws {
    guard try !tree.contents.hasRecordingsFolder() else { return }
    throw HoldfastError(
      .offline,
      "nothing was rebuilt: the folder \(tree.path.escapedForDisplay)/Recordings is missing",
      operation: "rebuild", path: tree.path)
  }

  private func salvage(_ copy: String?, to file: OpenFile) throws -> RebuiltCatalog {
    if let copy {
      guard let damage = CatalogIntegrity.damage(at: copy, journals: journals) else {
        throw HoldfastError(
          .catalogWhole,
          "the catalog of the library in \(tree.path.escapedForDisplay) can be opened and is "
            + "whole, so it is not rebuilt", path: tree.path)
      }
      report(.began(reason: damage))
    } else {
      report(.began(reason: "the library's catalog is missing"))
    }
    return try RebuiltCatalog(
      salvaging: copy, to: file.path, library: tree.marker.uuid, journals: journals)
  }

  /// Reports what the new catalog has from the damaged one, and the photos that it does not name.
  private func reportKept(_ catalog: Catalog, made: Int, salvaged: Bool) throws {
    for found in try catalog.records.exportedKinds() where salvaged {
      let count = found.kind == .recordings ? found.count - made : found.count
      if count > 0 { report(.kept(found.kind, count)) }
    }
    try tree.forEachPhoto(withoutRowIn: catalog) { _, entry in
      report(.left(path: "\(entry)", Self.notARecording("no row names this photo")))
    }
  }

  /// Closes the catalog. Returns the number of its recordings.
  private func complete(_ rebuilt: RebuiltCatalog, in file: OpenFile) throws -> Int {
    let count = try rebuilt.close()
    if let damage = CatalogIntegrity.damage(at: file.path, journals: journals) {
      throw HoldfastError(.damaged, "the rebuilt catalog does not pass its check: \(damage)")
    }
    return count
  }

  // MARK: Recordings whose record is lost

  /// Inserts a row for each file that is a recording without one. Returns their number.
  private func addLostRecordings(to rebuilt: RebuiltCatalog) async throws -> Int {
    let catalog = rebuilt.catalog
    var made = 0
    let (files, thumbnails) = try await onOwnThread { _ in try lostFiles(catalog) }
    for (index, entry) in files.enumerated() {
      do {
        let recording = try await recording(of: entry)
        try await onOwnThread { _ in try rebuilt.insert(recording, at: Date()) }
        made += 1
        report(.made(recording))
      } catch let error where !(error is CancellationError) {
        report(.left(path: "\(entry)", HoldfastError(itemFailure: error)))
      }
      report(.examined(index + 1, of: files.count))
    }
    try await onOwnThread { _ in
      for entry in thumbnails {
        guard let id = entry.path?.recordingID, try catalog.recordings.contains(id: id) else {
          report(.left(path: "\(entry)", Self.notARecording("no recording has this thumbnail")))
          continue
        }
      }
    }
    return made
  }

  /// Returns the files of recordings that no row names, and the thumbnails.
  private func lostFiles(_ catalog: Catalog) throws -> ([ScannedEntry], [ScannedEntry]) {
    var (files, thumbnails): ([ScannedEntry], [ScannedEntry]) = ([], [])
    try tree.contents.scan { entry in
      if let path = entry.path, let id = path.recordingID, entry.kind == .regular {
        if path == .thumbnail(id: id) {
          thumbnails.append(entry)
        } else if try catalog.files.find(id: id)?.filePath != path.string {
          files.append(entry)
        }
      } else if entry.path?.ownerID == nil || entry.kind != .regular {
        report(
          .left(
            path: "\(entry)", Self.notARecording("its name is not that of a recording's file")))
      }
    }
    return (files, thumbnails)
  }

  private static func notARecording(_ reason: String) -> HoldfastError {
    HoldfastError(.notARecording, "\(reason); it stays as it is")
  }

  private func recording(of entry: ScannedEntry) async throws -> Recording {
    guard let path = entry.path, let id = path.recordingID else {
      throw Self.notARecording("its name is not that of a recording's file")
    }
    let file = try await onOwnThread { _ in try tree.openForReading(path) }
    let type: RecordingType = path == .media(.video, id: id) ? .video : .audio
    let info = try await engine.probe(
      OpenMedia(descriptor: file.descriptor, name: path.name), depth: .index)
    guard info.type == type, let duration = info.duration, duration > 0 else {
      throw Self.notARecording(
        "it is not \(type == .video ? "a video" : "a sound") that can be read")
    }
    guard duration <= RecordingLimit.longest else {
      throw Self.notARecording(
        "it lasts \(duration.thousandths) s, and a recording at most "
          + "\(RecordingLimit.seconds.thousandths) s")
    }
    let (hash, thumbnail) = try await onOwnThread { stop in
      let thumbnail =
        type == .video
        ? try? tree.openForReading(.thumbnail(id: id)).sha256(until: stop) : nil
      return (try file.sha256(until: stop), thumbnail)
    }
    let identity = try file.identity()
    let picture = type == .video ? info.videoStream?.picture : nil
    // Its own name and bytes as those of its source mark a rebuilt recording.
    return Recording(
      id: id, recorded: RecordingTimestamp(of: info, name: "", identity: identity, now: Date()),
      type: type, duration: duration, createdAt: Date(),
      ingestion: Ingestion(
        originalFilename: path.name, sourceSHA256: hash, fileSize: identity.size, fileSHA256: hash,
        thumbnailSHA256: thumbnail, width: picture?.width, height: picture?.height,
        codecs: info.codecs ?? CodecStrings()))
  }
}
