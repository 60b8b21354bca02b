public import Foundation
internal import Glibc
internal import HoldfastModel

extension LibraryTree {
  /// Brings the files into line with the rows after operations that died half-way.
  ///
  /// An import whose staging folder is still locked is left alone. Otherwise the row decides:
  /// without one, what an import had published is removed, and a deletion is finished; with one,
  /// an import is done, and a deletion is undone. Only what Holdfast makes is touched, and no
  /// link is followed.
  ///
  /// An erase is taken for one that did not come to its commit, and is undone. When the catalog
  /// has the mark of one that did, call ``removeErased(under:hasRow:)`` first.
  ///
  /// - Parameters:
  ///   - lock: The writer lock.
  ///   - isOffline: Whether the recordings' files are not there at all. It is asked when something is
  ///     to be done and erases are undone. Then the rest is put off: what an import has published
  ///     could not be found, and a file that is moved back would lie where a disk's folder belongs.
  ///   - settling: Sets the row right of a file that was made anew, if that file is in its place.
  ///   - hasRow: Whether the catalog has a recording of that ID.
  /// - Returns: What was found and done.
  /// - Throws: ``StorageError`` when the system refuses, and what the closures throw. Recovery may
  ///   stop anywhere and start again.
  public func recover(
    under lock: borrowing WriterLock, isOffline: () throws -> Bool = { false },
    settling: (RemadeFile) throws -> Void = { _ in },
    hasRow: (UUID) throws -> Bool
  ) throws -> RecoveryReport {
    var report = RecoveryReport()
    // First: what a dead import published is to be found in `Recordings`, and not in the trash.
    try recoverErases(&report)
    report.isPutOff = try !leftovers().isEmpty && isOffline()
    if report.isPutOff { return report }
    try recoverStaging(&report, settling, hasRow)
    try recoverTrash(&report, hasRow)
    return report
  }

  func recoverStaging(
    _ report: inout RecoveryReport, _ settling: (RemadeFile) throws -> Void,
    _ hasRow: (UUID) throws -> Bool
  ) throws {
    guard let staging = try directory.existing(Layout.staging) else { return }
    for entry in try staging.entries() {
      guard let id = entry.uuid, entry.kind == .directory else {
        report.leftAlone.append(Place(in: staging.file, entry.name).path)
        continue
      }
      // Gone since it was listed: its import has finished.
      guard let folder = try staging.existing(id.uuidString) else { continue }
      // No lock file: it died while it was made, or while it was removed.
      let lockFile = try lockFile(of: folder)
      if let lockFile {
        guard try SystemCalls.tryLock(lockFile) else {
          report.living.append(id)
          continue
        }
      }
      let lines = try lockFile.map(lines) ?? []
      report.unpublished += try unpublish(
        [id] + lines.compactMap(UUID.init(uuidString:)), &report, hasRow)
      for file in lines.compactMap(RemadeFile.init(line:)) { try settling(file) }
      try removeFiles(of: folder, &report)
      if try staging.removeEmpty(id.uuidString) { report.removedStaging.append(id) }
    }
  }

  private func lockFile(of folder: Directory) throws(StorageError) -> OpenFile? {
    do throws(StorageError) {
      return try folder.existingFile(Layout.stagingLock, O_RDWR)
    } catch let error where [.notAFile, .unsafePath].contains(error.code) {
      return nil  // None of ours: it is named, and kept, with the folder's other strangers.
    }
  }

  /// The other IDs, and the files, that a staging folder was sealed with. A line that is neither was never
  /// synced, and so nothing was published by it.
  private func lines(of lockFile: OpenFile) throws -> [String] {
    var bytes: [UInt8] = []
    try lockFile.forEachChunk(of: 1 << 16) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Removes the files of recordings that have no row.
  private func unpublish(
    _ ids: [RecordingID], _ report: inout RecoveryReport, _ hasRow: (UUID) throws -> Bool
  ) throws -> [RelativePath] {
    let paths = try ids.filter { try !hasRow($0) }.flatMap(RelativePath.all)
    guard !paths.isEmpty else { return [] }
    let folders = try RecordingFolders(in: directory)
    var removed: [RelativePath] = []
    for path in paths {
      let place = folders.place(path)
      switch try SystemCalls.identity(of: place)?.kind {
      case nil: continue
      case .regular?:
        try SystemCalls.unlink(place)
        removed.append(path)
      default: report.leftAlone.append(place.path)
      }
    }
    // Also when nothing was left to remove: a recovery that died may have removed it unsynced.
    try folders.sync(paths)
    return removed
  }

  /// Removes the files that an import made, the list of its recordings last.
  private func removeFiles(
    of folder: Directory, _ report: inout RecoveryReport
  ) throws(StorageError) {
    var hasLock = false
    for entry in try folder.entries() {
      guard let name = entry.text, entry.kind == .regular else {
        report.leftAlone.append(Place(in: folder.file, entry.name).path)
        continue
      }
      if name == Layout.stagingLock { hasLock = true } else { try folder.remove(name) }
    }
    if hasLock { try folder.remove(Layout.stagingLock) }
  }
}
