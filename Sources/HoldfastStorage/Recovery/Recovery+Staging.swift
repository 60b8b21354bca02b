import Foundation
import HoldfastModel

extension Recovery {
  mutating func endImports(settling: (RemadeFile) throws -> Bool) throws {
    guard let staging = try tree.directory.existing(Layout.staging) else { return }
    for entry in try staging.entries() {
      guard let name = WorkName(entry) else {
        report.leftAlone.append(DirectoryRelativePath(in: staging.file, entry.name).path)
        continue
      }
      // It disappeared after it was listed: its import has finished.
      guard let work = try Work(name, in: staging, machine: tree.machine) else { continue }
      switch work.standing {
      case .living: report.living.append(name.id)
      case .others: try leave(work, in: Layout.staging)
      case .unowned:
        if try staging.removeEmpty(name.text) {
          report.removedStaging.append(name.id)
        } else {
          try leave(work, in: Layout.staging)
        }
      case .own:
        let lines = try work.lines()
        report.unpublished += try unpublish(
          [name.id] + lines.compactMap(UUID.init(uuidString:)), from: work.folder)
        // The list stays as long as a row may depend on it.
        let settled = try lines.compactMap(RemadeFile.init(line:)).map(settling)
        guard settled.allSatisfy(\.self) else { continue }
        try removeFiles(of: work.folder)
        if try staging.removeEmpty(name.text) { report.removedStaging.append(name.id) }
      }
    }
  }

  /// Removes files that an import has published, and whose rows it did not write.
  ///
  /// A file that is still in the import's folder was not published. What lies in its place was
  /// there before, and may be the only copy.
  private mutating func unpublish(
    _ ids: [RecordingID], from folder: Directory
  ) throws -> [RelativePath] {
    let lost = try ids.filter { try !hasRow($0) }
    guard !lost.isEmpty else { return [] }
    let unpublished = Set(try folder.entries().compactMap(\.text))
    let paths = lost.flatMap(RelativePath.all).filter { !unpublished.contains($0.name) }
    let folders = try RecordingFolders(in: tree.directory)
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
  private mutating func removeFiles(of folder: Directory) throws(HoldfastError) {
    var hasLock = false
    try folder.removeProgramFolder()
    for entry in try folder.entries() {
      guard let name = entry.text, entry.kind == .regular else {
        report.leftAlone.append(DirectoryRelativePath(in: folder.file, entry.name).path)
        continue
      }
      if name == Layout.workLock { hasLock = true } else { try folder.remove(name) }
    }
    if hasLock { try folder.remove(Layout.workLock) }
  }
}
