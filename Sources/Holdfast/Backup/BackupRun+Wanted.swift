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
    let sources = library.tree.files
    for index in files.indices {
      files[index].earlier = earlier(files[index], of: sources, in: previous)
    }
    for index in quarantined.indices {
      quarantined[index].earlier = earlier(quarantined[index], of: sources, in: previous)
    }
    if let previous, !unseen.isEmpty {
      quarantined += filesOfLast(
        under: unseen, but: Set(quarantined.map(\.bagPath)), in: previous)
    }
    if ignoresCase { missing += leaveOutTwins(&quarantined, previous) }
    return (files + quarantined, recordings, missing)
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

  /// Leaves out files whose names, or whose folders' names, the backup's disk takes for those of others, and reports them.
  /// What the last backup has stays.
  ///
  /// Recordings have no such names.
  ///
  /// - Returns: How many were left out.
  private func leaveOutTwins(_ files: inout [Wanted], _ previous: Previous?) -> Int {
    var taken = TakenNames()
    let isOld = { (file: Wanted) in previous?.manifest[file.bagPath] != nil }
    let before = Set(previous?.manifest.hashes.keys.map(\.folded) ?? [])
    var kept: [Wanted] = []
    for file in files.filter(isOld) + files.filter({ !isOld($0) }) {
      var other = taken.other(than: file.bagPath)
      // The disk may take more names for one than is known here.
      if other == nil, let previous, !isOld(file),
        !before.contains(Array(file.bagPath.utf8).folded),
        (try? previous.files.identity(of: file.bagPath.utf8)) ?? nil != nil
      {
        other = "another one"
      }
      if let other {
        let name =
          other.hasPrefix("\(Bag.payload)/") ? other.dropFirst(Bag.payload.count + 1) : other[...]
        report(
          .failed(
            path: file.displayPath,
            LibraryError(
              .notBackedUp,
              "the backup's disk takes its name for that of \(String(name).escapedForDisplay); rename one of "
                + "them")))
      } else {
        taken.insert(file.bagPath)
        kept.append(file)
      }
    }
    defer { files = kept }
    return files.count - kept.count
  }
}

/// The names that are taken on a disk that ignores case.
private struct TakenNames {
  private var files: [[UInt8]: String] = [:]
  private var folders: [[UInt8]: String] = [:]

  /// Returns what has the name of a file, or that of one of its folders in other letters; `nil` if nothing has.
  func other(than path: String) -> String? {
    let name = Array(path.utf8).folded
    if let other = files[name] ?? folders[name] { return other }
    for folder in Self.folders(of: path) {
      let name = Array(folder.utf8).folded
      if let other = files[name] { return other }
      if let other = folders[name], Array(other.utf8) != Array(folder.utf8) { return other }
    }
    return nil
  }

  mutating func insert(_ path: String) {
    files[Array(path.utf8).folded] = path
    for folder in Self.folders(of: path) { folders[Array(folder.utf8).folded] = folder }
  }

  private static func folders(of path: String) -> [String] {
    path.utf8.indices.filter { path.utf8[$0] == UInt8(ascii: "/") }.map { String(path[..<$0]) }
  }
}
