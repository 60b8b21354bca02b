internal import Foundation
internal import HoldfastModel

extension LibraryTree {
  /// Makes the files match the rows after operations that were interrupted.
  ///
  /// A folder whose operation is still at work is left alone. For this computer's other folders,
  /// the row decides. Without a row, what an import published is removed, and a deletion is
  /// finished. With a row, an import counts as done, and a deletion is undone. Only what Holdfast
  /// makes is touched, and no link is followed.
  ///
  /// Another computer's folder is left alone until nothing in it has changed for a day: it may have
  /// a lock and rows that this computer does not see yet. Then an erase is undone, a deletion whose
  /// row exists is undone, and anything else is moved into quarantine. What that computer published
  /// stays. An older Holdfast made staging folders that do not name their computer. They are
  /// treated the same way, except that an empty one is removed.
  ///
  /// An erase counts as not committed, and is undone. If the catalog has the mark of a committed
  /// erase, call ``removeErased(_:under:rows:)`` first.
  ///
  /// - Parameters:
  ///   - lock: The writer lock.
  ///   - rows: The rows, and what else recovery needs to know.
  /// - Returns: What was found and done.
  /// - Throws: ``StorageError`` when the system refuses, and what `rows` throws. Recovery may
  ///   be interrupted at any point and started again.
  public func recover(
    under lock: borrowing WriterLock, rows: some RecoveryRows
  ) throws -> RecoveryReport {
    var report = RecoveryReport()
    // This comes first: what an interrupted import published must be in `Recordings`, not the
    // trash.
    try recoverErases(&report, under: lock)
    report.isPutOff = try leftovers().isAnythingDead && rows.isOffline()
    if report.isPutOff { return report }
    try recoverStaging(&report, rows, settling: rows.settle)
    try recoverTrash(&report, under: lock, rows)
    try quarantineAbandoned(&report, under: lock)
    return report
  }

  /// Ends interrupted imports and remakes.
  ///
  /// - Parameter settling: See ``RecoveryRows/settle(_:)``.
  func recoverStaging(
    _ report: inout RecoveryReport, _ rows: some RecordingRows,
    settling: (RemadeFile) throws -> Bool
  ) throws {
    guard let staging = try directory.existing(Layout.staging) else { return }
    for entry in try staging.entries() {
      guard let name = WorkName(entry) else {
        report.leftAlone.append(Place(in: staging.file, entry.name).path)
        continue
      }
      // It disappeared after it was listed: its import has finished.
      guard let work = try Work(name, in: staging, machine: machine) else { continue }
      switch work.standing {
      case .living: report.living.append(name.id)
      case .others: try report.leave(work, in: Layout.staging)
      case .unowned:
        if try staging.removeEmpty(name.text) {
          report.removedStaging.append(name.id)
        } else {
          try report.leave(work, in: Layout.staging)
        }
      case .own:
        let lines = try work.lines()
        report.unpublished += try unpublish(
          [name.id] + lines.compactMap(UUID.init(uuidString:)), &report, rows)
        // The list stays as long as a row may depend on it.
        let settled = try lines.compactMap(RemadeFile.init(line:)).map(settling)
        guard settled.allSatisfy(\.self) else { continue }
        try removeFiles(of: work.folder, &report)
        if try staging.removeEmpty(name.text) { report.removedStaging.append(name.id) }
      }
    }
  }

  /// Whether another computer's folder has not changed for a day.
  ///
  /// Both this computer's clock and the clock of the library's filesystem must say so, because one
  /// of them may be wrong.
  func isAbandoned(_ work: Work, under lock: borrowing WriterLock) throws(StorageError) -> Bool {
    guard work.standing == .others else { return false }
    let lastChange = try work.lastChange()
    guard Work.isAbandoned(lastChange, at: .now) else { return false }
    return Work.isAbandoned(lastChange, at: try lock.filesystemTime())
  }

  /// Moves into quarantine what others have not changed for a day, by both clocks as in
  /// ``isAbandoned(_:under:)``.
  ///
  /// What cannot be moved stays, and does not stop anybody from writing to the library.
  private func quarantineAbandoned(
    _ report: inout RecoveryReport, under lock: borrowing WriterLock
  ) throws(StorageError) {
    guard report.others.contains(where: { $0.isAbandoned(at: .now) }) else { return }
    let time = min(.now, try lock.filesystemTime())
    let abandoned = report.others.filter { $0.isAbandoned(at: time) }
    guard !abandoned.isEmpty else { return }
    let quarantine = try makeQuarantine(named: Quarantine.name(at: Date()), under: lock)
    for work in abandoned {
      do throws(StorageError) {
        try quarantine.take(
          Array(work.path.utf8),
          note: "another computer, or an older Holdfast, had not changed it for a day", under: lock)
        report.quarantine = quarantine.name
        report.others.removeAll { $0 == work }
      } catch {}
    }
    if report.quarantine == nil { try? quarantine.removeUnused() }
  }

  /// Removes the files of recordings that have no row.
  private func unpublish(
    _ ids: [RecordingID], _ report: inout RecoveryReport, _ rows: some RecordingRows
  ) throws -> [RelativePath] {
    let paths = try ids.filter { try !rows.hasRow(of: $0) }.flatMap(RelativePath.all)
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
    // Synced even if nothing was left to remove: an interrupted recovery may have removed it
    // without syncing.
    try folders.sync(paths)
    return removed
  }

  /// Removes the files that an import made, and last the lock file with the list of its recordings.
  private func removeFiles(
    of folder: Directory, _ report: inout RecoveryReport
  ) throws(StorageError) {
    var hasLock = false
    for entry in try folder.entries() {
      guard let name = entry.text, entry.kind == .regular else {
        report.leftAlone.append(Place(in: folder.file, entry.name).path)
        continue
      }
      if name == Layout.workLock { hasLock = true } else { try folder.remove(name) }
    }
    if hasLock { try folder.remove(Layout.workLock) }
  }
}
