internal import Foundation
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
  ///   - ignoresCase: Whether the backup's disk ignores the case of names.
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
      page = try catalog.storedFiles(after: last.id.uuidString)
    }
    var (quarantined, unseen) = try quarantined(ignoringCase: ignoresCase)
    let sources = library.tree.files
    for index in files.indices {
      files[index].earlier = earlier(files[index], of: sources, in: previous)
    }
    for index in quarantined.indices {
      quarantined[index].earlier = earlier(quarantined[index], of: sources, in: previous)
    }
    if let previous, !unseen.isEmpty {
      let folders = unseen.map { Bag.name(forFile: $0, ignoringCase: ignoresCase) }
      quarantined += filesOfLast(
        under: folders, but: Set(quarantined.map { Array($0.bagPath.utf8) }), in: previous)
    }
    return (files + quarantined, recordings, unseen.count)
  }

  /// Lists the files in quarantine, and the paths of what cannot be looked at there, which are reported.
  private func quarantined(
    ignoringCase ignoresCase: Bool
  ) throws -> (files: [Wanted], unseen: [[UInt8]]) {
    var (files, unseen): ([Wanted], [[UInt8]]) = ([], [])
    try library.tree.forEachQuarantinedFile { path, identity in
      guard identity.kind == .regular else { return }
      files.append(
        Wanted(path, as: Bag.name(forFile: path, ignoringCase: ignoresCase), size: identity.size))
    } orFail: { path, error in
      unseen.append(path)
      report(.failed(path: error.path.escapedForDisplay, LibraryError(itemFailure: error)))
    }
    return (files, unseen)
  }

  /// Returns what the last backup has of folders that cannot be looked at today: the only copy, perhaps.
  private func filesOfLast(
    under folders: [String], but known: Set<[UInt8]>, in previous: Previous
  ) -> [Wanted] {
    let places = folders.map { Array("\(Bag.payload)/\($0)".utf8) }
    return previous.manifest.hashes.keys.compactMap { path in
      let isUnder = places.contains { place in
        path == place || path.starts(with: place + [UInt8(ascii: "/")])
      }
      guard isUnder, !known.contains(path) else { return nil }
      var file = Wanted(ofLast: String(decoding: path, as: UTF8.self))
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
}
