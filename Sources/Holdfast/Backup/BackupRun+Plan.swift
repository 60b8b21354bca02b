import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

extension BackupRun {
  /// Reports what a backup would copy. It reads no recording, so it misses damage that leaves the
  /// size as it was.
  func plan() throws {
    try BackupFolder.refuse(path)
    let isThere = (try? path.identity()) != nil
    let folder = try BackupFolder.open(at: isThere ? path : path.folder)
    var last: Previous?
    if isThere {
      guard try !folder.hasBagInUpdate() else { throw HoldfastError.unfinishedUpdate(folder.path) }
      last = try previous(bags(in: folder), hasLinks: folder.mayHaveLinks).0
      try reportUnreadable(in: folder)
    }
    if options.links { try refuseToLink(into: folder, hasLinks: folder.mayHaveLinks) }
    let disk = Disk(
      ignoresCase: isThere && folder.ignoresCase, hasLinks: !isThere || folder.mayHaveLinks)
    let wanted = try wanted(by: library.catalog, last, on: disk)
    let sources = library.tree.files
    let catalog = Array(Bag.catalog.utf8.dropFirst(Bag.payload.utf8.count + 1))
    var all = try sources.identity(of: catalog)?.size ?? 0
    // The marker, the catalog and the export are written again each time.
    var (files, count, bytes, missing) = (3, 0, Int64(0), wanted.missing)
    let recordings = try wanted.forEach { file in
      try stop.check()
      let known = try earlier(file, of: sources, in: last)
      let old =
        known == .same || known == .suspect
        ? try last?.files.identity(of: file.bagPath.utf8)?.size : nil
      if known == .same, let old {
        (files, all) = (files + 1, all + old)
        return
      }
      do {
        let size = try open(file, nil).identity().size
        guard file.size < 0 || file.size == size else { throw Self.otherBytes }
        (files, all) = (files + 1, all + size)
        guard old == nil else { return }
        (count, bytes) = (count + 1, bytes + (options.links && file.hash != nil ? 0 : size))
      } catch {
        let error = HoldfastError(itemFailure: error)
        if let old {
          (files, all) = (files + 1, all + old)
          report(.failed(path: file.displayPath, Self.savedCopy(error.description)))
        } else {
          missing += 1
          report(.failed(path: file.displayPath, error))
        }
      }
    }
    var info = BagInfo(
      library: library.tree.marker.uuid, moment: Date(), software: "", recordings: recordings)
    info.files = files
    info.bytes = all
    info.missing = missing
    report(
      .finished(
        BackupSummary(info, name: "", path: "\(path)"), copied: count, bytes: bytes))
  }
}
