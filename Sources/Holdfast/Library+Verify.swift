internal import Foundation
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage

extension Library {
  /// Compares the library's files with its catalog, and names all that does not fit.
  ///
  /// Nothing is changed. What looks wrong is looked at once more when no writer is in the middle
  /// of a step, so that a library in use has no findings for that alone.
  ///
  /// - Parameter report: Takes each finding as it is made.
  /// - Returns: The number of recordings that were compared.
  /// - Throws: When the catalog or the tree cannot be read at all.
  public func verify(_ report: (VerifyFinding) throws -> Void) throws -> Int {
    guard let tree else { return 0 }
    for finding in try catalog.integrityFindings() {
      try report(VerifyFinding(.catalogDamaged, "catalog.sqlite", finding))
    }
    var count = 0
    try goingOn(report) { try verifyRows(&count, in: tree, report) }
    try goingOn(report) { try tree.scan { entry in try verify(entry, in: tree, report) } }
    try goingOn(report) { try verifyLeftovers(of: tree, report) }
    return count
  }

  private func verifyRows(
    _ count: inout Int, in tree: LibraryTree, _ report: (VerifyFinding) throws -> Void
  ) throws {
    var last: RecordingID?
    while true {
      let page = try catalog.storedFiles(after: last)
      guard let end = page.last else { break }
      last = end.id
      count += page.count
      for row in page { try verify(row, in: tree, report) }
    }
  }

  /// Does one part of the verification; what keeps it from its end is a finding, and the next part
  /// is done all the same.
  private func goingOn(
    _ report: (VerifyFinding) throws -> Void, _ part: () throws -> Void
  ) throws {
    do {
      try part()
    } catch let error as CatalogError where [.damaged, .unreadableRow].contains(error.code) {
      try report(VerifyFinding(.catalogDamaged, "catalog.sqlite", error.reason))
    } catch let error as StorageError {
      let root = tree.map { $0.path + "/" } ?? ""
      let path = error.path.hasPrefix(root) ? error.path.dropFirst(root.count) : error.path[...]
      try report(VerifyFinding(.unreadable, String(path).escapedForDisplay, error.reason))
    }
  }

  private func verify(
    _ row: StoredFiles, in tree: LibraryTree, _ report: (VerifyFinding) throws -> Void
  ) throws {
    for finding in try findings(row, in: tree) {
      // Perhaps the row is being deleted just now: then it is gone after the lock.
      let stands = try whileNobodyWrites(to: tree) {
        try catalog.hasRecording(id: row.id) && findings(row, in: tree).contains(finding)
      }
      if stands { try report(finding) }
    }
  }

  private func findings(_ row: StoredFiles, in tree: LibraryTree) throws -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    if let finding = finding(row.filePath, .fileMissing, size: row.fileSize, row, tree) {
      findings.append(finding)
    }
    if let thumbnail = row.thumbnailPath,
      let finding = finding(thumbnail, .thumbnailMissing, size: nil, row, tree)
    {
      findings.append(finding)
    }
    return findings
  }

  private func finding(
    _ text: String, _ missing: VerifyFinding.Kind, size: Int64?, _ row: StoredFiles,
    _ tree: LibraryTree
  ) -> VerifyFinding? {
    guard let path = RelativePath(text) else {
      return VerifyFinding(
        .badPath, text.escapedForDisplay, recording: row.id,
        "the catalog's path does not lie under \(RelativePath.root)/; it was not followed")
    }
    do {
      switch try tree.status(of: path) {
      case .missing:
        return VerifyFinding(
          missing, text, recording: row.id,
          missing == .fileMissing
            ? "the recording's file is gone; look for it in a backup" : "the thumbnail is gone")
      case .notRegular:
        return VerifyFinding(
          .notAFile, text, recording: row.id, "is a folder, link or device instead of a file")
      case .regular(let found):
        guard let size, found != size else { return nil }
        return VerifyFinding(
          .wrongSize, text, recording: row.id,
          "has \(found) bytes instead of \(size); look for it in a backup")
      }
    } catch {
      return VerifyFinding(.unreadable, text, recording: row.id, "\(error)")
    }
  }

  private func verify(
    _ entry: ScannedEntry, in tree: LibraryTree, _ report: (VerifyFinding) throws -> Void
  ) throws {
    if try isKnown(entry) { return }
    // Perhaps it is being published just now: then its row is there after the lock.
    let stands = try whileNobodyWrites(to: tree) {
      guard let path = entry.path else { return true }
      return try tree.status(of: path) != .missing && !isKnown(entry)
    }
    if stands {
      try report(
        VerifyFinding(.unknownFile, entry.description, "the catalog knows nothing of it"))
    }
  }

  /// Whether a row refers to a file that lies in the tree, by the identity in the file's name.
  private func isKnown(_ entry: ScannedEntry) throws -> Bool {
    guard entry.kind == .regular, let path = entry.path, let id = path.recordingID,
      let files = try catalog.storedFiles(id: id)
    else { return false }
    return files.filePath == path.string || files.thumbnailPath == path.string
  }

  private func verifyLeftovers(
    of tree: LibraryTree, _ report: (VerifyFinding) throws -> Void
  ) throws {
    // A staging folder that is being made just now is not locked yet.
    let leftovers = try whileNobodyWrites(to: tree) { try tree.leftovers() }
    for staging in leftovers.staging where !staging.isAlive {
      try report(
        VerifyFinding(
          .staleStaging, ".staging/\(staging.name.escapedForDisplay)",
          "an interrupted command left it; the next one that writes puts it right"))
    }
    for name in leftovers.trash {
      try report(
        VerifyFinding(
          .staleTrash, ".trash/\(name.escapedForDisplay)",
          "an interrupted command left it; the next one that writes puts it right"))
    }
  }

  /// Looks while no writer is in the middle of a step. On a disk that cannot be written, or in a
  /// library that is another person's, there is nothing to keep out or no way to: then it looks at
  /// once.
  private func whileNobodyWrites<Value>(
    to tree: LibraryTree, _ look: () throws -> Value
  ) throws -> Value {
    var isLocked = false
    do {
      return try tree.withWriterLock { _ in
        isLocked = true
        return try look()
      }
    } catch let error as StorageError
      where !isLocked && [EROFS, EACCES, EPERM].contains(error.errno)
    {
      return try look()
    }
  }
}
