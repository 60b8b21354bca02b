import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

extension BackupRun {
  struct Disk: Sendable {
    /// Whether names that differ only in case are the same on it.
    let ignoresCase: Bool
    /// Whether files can have two names on it. If not, the backup is updated.
    let hasLinks: Bool
  }

  /// The files for a backup. They are not all in memory: there may be millions.
  struct WantedFiles: Sendable {
    /// The catalog that names most of them, which nothing changes meanwhile.
    let catalog: Catalog
    /// Whether a file without its recording's own name gets one in the backup that no other file
    /// can have.
    let marksNames: Bool
    /// The files that no row names.
    let others: [Wanted]
    /// The number of other items that cannot be backed up.
    let missing: Int

    /// Visits the files, each time in the same order. Returns the number of their recordings.
    func forEach(_ visit: (Wanted) throws -> Void) throws -> Int {
      var recordings = 0
      var page = try catalog.files.page(after: nil)
      while let last = page.last {
        recordings += page.count { $0.recordingID != nil }
        for row in page {
          try visit(
            Wanted(
              row.filePath.utf8, as: mark(row.filePath, unless: row.ownPath),
              hash: row.fileSHA256, size: row.fileSize))
          if let path = row.thumbnailPath {
            try visit(
              Wanted(
                path.utf8, as: mark(path, unless: .thumbnail(id: row.id)),
                hash: row.thumbnailSHA256, size: -1))
          }
        }
        page = try catalog.files.page(after: last.id.uuidString)
      }
      for file in others { try visit(file) }
      return recordings
    }

    /// Returns the name in the backup for a file of a row; `nil` for the usual one.
    private func mark(_ path: String, unless own: @autoclosure () -> RelativePath) -> String? {
      guard marksNames else { return nil }
      let own = own()
      if path == own.string { return nil }
      return Bag.name(forFile: Array(path.utf8), insteadOf: own)
    }
  }

  /// The state of a file under the lock. There is one for each file, so it is small.
  struct PreviousCopy: Sendable {
    let earlier: Earlier
    /// Whether it got a second name in staging.
    let isPinned: Bool
  }

  /// Lists the files that a catalog names and those in quarantine. Reports items that cannot be
  /// backed up.
  func wanted(
    by catalog: Catalog, _ previous: Previous?, on disk: Disk
  ) throws -> WantedFiles {
    var (others, unseen) = try quarantined(ignoringCase: disk.ignoresCase)
    if let previous, !unseen.isEmpty {
      let folders = unseen.map { Bag.name(forFile: $0, ignoringCase: disk.ignoresCase) }
      others += try filesOfLast(
        under: folders, but: Set(others.map { Array($0.bagPath.utf8) }), in: previous)
    }
    others += try photosWithoutRow(in: catalog)
    return WantedFiles(
      catalog: catalog, marksNames: disk.ignoresCase || !disk.hasLinks, others: others,
      missing: unseen.count)
  }

  /// Returns the photos that the program knows no row of. They may have one in a journal that it
  /// does not know, and after a rebuild an import can give them theirs again.
  private func photosWithoutRow(in catalog: Catalog) throws -> [Wanted] {
    var files: [Wanted] = []
    try library.tree.forEachPhoto(withoutRowIn: catalog) { _, entry in
      files.append(Wanted(entry.bytes, size: entry.identity.size))
    }
    return files
  }

  /// Lists the files in quarantine. Reports and lists the paths that cannot be read there.
  private func quarantined(
    ignoringCase ignoresCase: Bool
  ) throws -> (files: [Wanted], unseen: [[UInt8]]) {
    var (files, unseen): ([Wanted], [[UInt8]]) = ([], [])
    try library.tree.quarantines.forEachFile { path, identity in
      guard identity.kind == .regular else { return }
      files.append(
        Wanted(path, as: Bag.name(forFile: path, ignoringCase: ignoresCase), size: identity.size))
    } orFail: { path, error in
      unseen.append(path)
      report(.failed(path: (error.path ?? "").escapedForDisplay, HoldfastError(itemFailure: error)))
    }
    return (files, unseen)
  }

  /// Returns the last backup's files of folders that cannot be read today: they may be the only
  /// copies.
  private func filesOfLast(
    under folders: [String], but known: Set<[UInt8]>, in previous: Previous
  ) throws -> [Wanted] {
    let places = folders.map { Array("\(Bag.payload)/\($0)".utf8) }
    var files: [Wanted] = []
    try previous.manifest.forEach { path, _ in
      let isUnder = places.contains { place in
        path == place || path.starts(with: place + [UInt8(ascii: "/")])
      }
      guard isUnder, !known.contains(path) else { return }
      var file = Wanted(ofLast: String(decoding: path, as: UTF8.self))
      do {
        guard try previous.files.identity(of: path)?.kind == .regular else { return }
        file.earlier = .same
      } catch {
        file.earlier = .unseen
      }
      files.append(file)
    }
    return files
  }
}
