import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

extension Repair {
  /// Looks for each file in quarantine and in the backups, then makes those that were not found
  /// again from their sources.
  ///
  /// - Returns: For each recording, what was done, or why it failed; no entry if nothing was found.
  ///   Also, as the end of a sentence, which places could not be read.
  func findFiles() async throws -> (
    outcomes: [RecordingID: Result<String, any Error>], unread: String?
  ) {
    var wanted: [RecordingID: StoredFiles] = [:]
    for item in cases { wanted[item.row.id] = item.row }
    var outcomes: [RecordingID: Result<String, any Error>] = [:]
    guard !wanted.isEmpty else { return (outcomes, nil) }
    var files: BackupFiles
    do {
      files = try BackupFiles(of: library, tree, backups, takesQuarantined: !onlyPutsBack)
    } catch {
      return (wanted.mapValues { _ in .failure(error) }, nil)
    }
    let rows = wanted.values.sorted { $0.id.uuidString < $1.id.uuidString }
    for step in [bringBack, remake] {
      for row in rows where outcomes[row.id] == nil {
        do {
          if let words = try await step(row, &files) { outcomes[row.id] = .success(words) }
        } catch let error where !(error is CancellationError) {
          outcomes[row.id] = .failure(error)
        }
      }
    }
    let unread = files.failures.first.map { first in
      let more = files.failures.count - 1
      return "some files could not be read: \(first)" + (more > 0 ? ", and \(more) more" : "")
    }
    return (outcomes, unread)
  }

  /// Brings back a file that has exactly the right bytes.
  private func bringBack(_ row: StoredFiles, _ files: inout BackupFiles) async throws -> String? {
    if try await isBack(row) { return "is back in its place" }
    switch try await files.file(of: row) {
    case .quarantined(let file):
      return try putBack(file, for: row) ? "is back from .quarantine/\(file.quarantine)" : nil
    case .outside(let file, let path):
      return try await copy(file, for: row) ? "is back from \(path)" : nil
    case nil: return nil
    }
  }

  private func remake(_ row: StoredFiles, _ files: inout BackupFiles) async throws -> String? {
    guard let recording = try library.catalog.recordings.find(id: row.id),
      let (file, path) = try await files.source(of: recording.ingestion)
    else { return nil }
    return try await remake(recording, from: file) ? "was remade from \(path)" : nil
  }

  /// Returns whether the file is back already: it may have been moved there as a file without a
  /// row.
  private func isBack(_ row: StoredFiles) async throws -> Bool {
    let tree = tree
    guard let path = RelativePath(row.filePath) else { return false }
    // If it cannot be read, the backup is needed.
    let isBack = try await onOwnThread { stop in
      try tree.hasBytes(
        row.fileSHA256, at: path, atMost: max(row.fileSize, ReadLimit.recording), until: stop)
    }
    guard isBack else { return false }
    try? underLock { _ in try library.catalog.files.clearFault(of: row.id) }
    return true
  }

  private func putBack(_ file: QuarantinedFile, for row: StoredFiles) throws -> Bool {
    try underLock { lock in
      guard try library.catalog.files.find(id: row.id)?.isSame(as: row) == true,
        let path = RelativePath(row.filePath), try !tree.contents.isInTrash(path, of: row.id),
        // The file was hashed before this lock was taken, so it must not have changed.
        try file.openForReading().identity() == file.identity
      else { return false }
      try moveAside(row.filePath, of: row, "was damaged; the right one is back", under: lock)
      try tree.quarantines.putBack(file, to: path, under: lock)
      try? library.catalog.files.clearFault(of: row.id)
      return true
    }
  }

  /// Copies a file into the library, if it has the bytes of the missing file.
  private func copy(_ file: OpenFile, for row: StoredFiles) async throws -> Bool {
    let (tree, catalog) = (tree, library.catalog)
    guard let path = RelativePath(row.filePath) else { return false }
    let staging = try tree.withWriterLock { try tree.makeStaging(id: UUID(), under: $0) }
    defer { try? staging.remove() }
    let copy = try staging.createFile(named: path.name)
    let hash = try await onOwnThread { stop in try file.sha256(until: stop, copy.write) }
    guard hash == row.fileSHA256 else { return false }
    let remade = RemadeFile(path: path, hash: hash)
    try staging.seal(remade: [remade])
    return try underLock { lock in
      // If a deletion was interrupted meanwhile, the file is in the trash and recovery will bring
      // it back.
      guard try catalog.files.find(id: row.id)?.isSame(as: row) == true,
        try !tree.contents.isInTrash(path, of: row.id)
      else { return false }
      try moveAside(row.filePath, of: row, "was damaged; the right one is back", under: lock)
      try publishAgain(remade, from: staging, under: lock)
      try? catalog.files.clearFault(of: row.id)
      return true
    }
  }

  private func publishAgain(
    _ remade: RemadeFile, from staging: Staging, under lock: borrowing WriterLock
  ) throws {
    let failures = try staging.publish(remade: [remade], under: lock)
    if let failure = failures[remade.path] { throw failure }
  }

  /// Makes a recording's file again from its source, as it was made the first time. The recording
  /// keeps its ID, links and plays.
  private func remake(_ recording: Recording, from file: OpenFile) async throws -> Bool {
    guard let plan = recording.ingestion.conversion?.plan else { return false }
    let id = recording.id
    let tree = tree
    let staging = try tree.withWriterLock { try tree.makeStaging(id: UUID(), under: $0) }
    defer { try? staging.remove() }
    let media = OpenMedia(descriptor: file.descriptor, name: recording.ingestion.originalFilename)
    let path = recording.filePath
    let (report, made) = try await staging.writing(path.name) { file in
      try await engine.convert(
        plan, source: media, output: OpenMedia(descriptor: file.descriptor, name: path.name)
      ) { _ in }
    }
    let output = OpenMedia(descriptor: made.descriptor, name: path.name)
    _ = try await engine.check(report, source: media, output: output)
    let (size, hash) = try await onOwnThread { stop in
      (try made.identity().size, try made.sha256(until: stop))
    }
    // The right file may be on a disk that is not mounted. When it is back, it would count as
    // damaged.
    guard !onlyPutsBack || hash == recording.ingestion.fileSHA256 else {
      throw HoldfastError(
        .offline,
        "the file remade from its source has other bytes, so it is not used until another of the "
          + "recordings' files is back", operation: "remake")
    }
    let remade = RemadeFile(path: path, hash: hash)
    try staging.seal(remade: [remade])
    return try underLock { lock in
      guard let row = try library.catalog.files.find(id: id), row.filePath == path.string,
        row.fileSHA256 == recording.ingestion.fileSHA256, try !tree.contents.isInTrash(path, of: id)
      else { return false }
      try moveAside(row.filePath, of: row, "was damaged; it was remade", under: lock)
      try publishAgain(remade, from: staging, under: lock)
      do { try library.catalog.files.setHash(hash, size: size, of: id) } catch {
        // The file has its name already, so recovery must update the row.
        staging.leaveToRecovery()
        throw error
      }
      return true
    }
  }
}
