internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// The files that a backup is to have.
extension BackupRun {
  /// Lists the files that a catalog names and those in quarantine.
  ///
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - previous: The last backup.
  ///   - ignoresCase: Whether the backup's disk takes names that differ only in case for one.
  /// - Returns: The files; how many recordings they are of; and how many more things cannot be backed up, each of which is
  ///   reported.
  func wanted(
    by catalog: Catalog, _ previous: Previous?, ignoringCase ignoresCase: Bool
  ) throws -> (files: [Wanted], recordings: Int, missing: Int) {
    var files: [Wanted] = []
    var recordings = 0
    var page = try catalog.storedFiles(after: nil)
    while let last = page.last {
      try stop.check()
      recordings += page.count
      for row in page {
        files.append(
          Wanted(row.filePath.utf8, hash: row.fileSHA256, size: row.fileSize))
        if let path = row.thumbnailPath {
          files.append(Wanted(path.utf8, hash: row.thumbnailSHA256, size: -1))
        }
      }
      page = try catalog.storedFiles(after: last.id)
    }
    var (quarantined, unseen) = try quarantined()
    var missing = unseen.count
    if ignoresCase { missing += leaveOutTwins(&quarantined, previous) }
    files += quarantined
    let sources = library.tree.files
    for index in files.indices {
      files[index].earlier = earlier(files[index], of: sources, in: previous)
    }
    if let previous, !unseen.isEmpty {
      files += filesOfLast(under: unseen, but: Set(quarantined.map(\.bagPath)), in: previous)
    }
    return (files, recordings, missing)
  }

  /// Lists the files in quarantine, and the paths of what cannot be looked at there, which are reported.
  private func quarantined() throws -> (files: [Wanted], unseen: [[UInt8]]) {
    var (files, unseen): ([Wanted], [[UInt8]]) = ([], [])
    try library.tree.forEachQuarantinedFile { path, identity in
      guard identity.kind == .regular else { return }
      files.append(Wanted(path, size: identity.size))
    } orFail: { path, error in
      unseen.append(path)
      report(.failed(path: error.path.escapedForDisplay, LibraryError(itemFailure: error)))
    }
    return (files, unseen)
  }

  /// Returns what the last backup has of folders that cannot be looked at today: the only copy, perhaps.
  private func filesOfLast(
    under folders: [[UInt8]], but known: Set<String>, in previous: Previous
  ) -> [Wanted] {
    let places = folders.map { Array("\(Bag.payload)/\(Bag.name(forFile: $0))".utf8) }
    return previous.manifest.hashes.keys.compactMap { path in
      let isUnder = places.contains { place in
        path == place || path.starts(with: place + [UInt8(ascii: "/")])
      }
      let text = String(decoding: path, as: UTF8.self)
      guard isUnder, !known.contains(text) else { return nil }
      var file = Wanted(ofLast: text)
      do {
        guard let old = try previous.files.identity(of: path), old.kind == .regular else {
          return nil
        }
        file.earlier = .same(old)
      } catch {
        file.earlier = .unseen
      }
      return file
    }
  }

  /// Leaves out files whose names differ only in case from another's, and reports them. The one that the last backup has
  /// stays.
  ///
  /// Recordings have no such names.
  ///
  /// - Returns: How many were left out.
  private func leaveOutTwins(_ files: inout [Wanted], _ previous: Previous?) -> Int {
    var kept: [[UInt8]: Wanted] = [:]
    let isOld = { (file: Wanted) in previous?.manifest[file.bagPath] != nil }
    for file in files.filter(isOld) + files.filter({ !isOld($0) }) {
      let name = Array(file.bagPath.utf8).folded
      guard let other = kept[name] else {
        kept[name] = file
        continue
      }
      report(
        .failed(
          path: file.displayPath,
          LibraryError(
            .notBackedUp,
            "the backup's disk takes its name for that of \(other.displayPath); rename one of them")
        ))
    }
    let count = files.count - kept.count
    files.removeAll { kept[Array($0.bagPath.utf8).folded]?.path != $0.path }
    return count
  }
}
