import Foundation
import Glibc
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// The moment whose state a backup has.
extension BackupRun {
  struct Copied {
    var count = 0
    var bytes: Int64 = 0
    /// The number of files that are not in the backup.
    var missing = 0
    /// The number of damaged files that the backup has from the last one.
    var saved = 0
  }

  /// Copies the catalog, and pins the files to copy, under the writer lock.
  ///
  /// If the library cannot be written, nothing can be pinned. Its files are then copied under the
  /// lock, or without it if the lock cannot be written either. A file that another command deletes
  /// meanwhile is then reported as missing; no other file is backed up in its place.
  ///
  /// - Parameter didCopy: Called when the catalog is copied.
  /// - Returns: The bag's description, and a function that copies the files.
  func snapshot(
    _ writer: BagWriter, _ previous: Previous?, on disk: Disk,
    _ didCopy: () -> Void
  ) throws -> (BagInfo, () throws -> Copied) {
    let tree = library.tree
    var isLocked = false
    do {
      return try tree.withWriterLock(until: stop) { lock -> (BagInfo, () throws -> Copied) in
        isLocked = true
        let staging: Staging
        do throws(HoldfastError) { staging = try tree.makeStaging(id: UUID(), under: lock) } catch {
          guard error.isForWantOfSpace || error.isPermissionDenied else { throw error }
          return try unpinned(writer, previous, disk, didCopy)
        }
        do {
          return try pinned(writer, previous, disk, didCopy, staging, under: lock)
        } catch {
          try? staging.remove()
          throw error
        }
      }
    } catch let error as HoldfastError where !isLocked && error.isReadOnly {
      return try unpinned(writer, previous, disk, didCopy)
    }
  }

  private func pinned(
    _ writer: BagWriter, _ previous: Previous?, _ disk: Disk, _ didCopy: () -> Void,
    _ staging: Staging,
    under lock: borrowing WriterLock
  ) throws -> (BagInfo, () throws -> Copied) {
    let (wanted, moment) = try wanted(writer, previous, disk, didCopy)
    let sources = library.tree.files
    var previousCopies: [PreviousCopy] = []
    let recordings = try wanted.forEach { file in
      try stop.check()
      let earlier = try earlier(file, of: sources, in: previous)
      var isPinned = false
      // Without a pin, the file is looked up again when it is copied.
      if earlier != .same {
        isPinned = try staging.pin(file.path, under: lock)
      } else if options.verifies {
        // The last backup's file may turn out not to be the right one.
        isPinned = (try? staging.pin(file.path, under: lock)) == true
      }
      previousCopies.append(PreviousCopy(earlier: earlier, isPinned: isPinned))
    }
    let all = previousCopies
    return (
      info(moment, recordings, wanted),
      {
        defer { try? staging.remove() }
        return try self.copy(wanted, all, writer, previous, staging)
      }
    )
  }

  private func unpinned(
    _ writer: BagWriter, _ previous: Previous?, _ disk: Disk, _ didCopy: () -> Void
  ) throws -> (BagInfo, () throws -> Copied) {
    let (wanted, moment) = try wanted(writer, previous, disk, didCopy)
    let sources = library.tree.files
    var previousCopies: [PreviousCopy] = []
    let recordings = try wanted.forEach { file in
      try stop.check()
      previousCopies.append(
        PreviousCopy(earlier: try earlier(file, of: sources, in: previous), isPinned: false))
    }
    let copied = try copy(wanted, previousCopies, writer, previous, nil)
    return (info(moment, recordings, wanted), { copied })
  }

  private func info(_ moment: Date, _ recordings: Int, _ wanted: WantedFiles) -> BagInfo {
    var info = BagInfo(
      library: library.tree.marker.uuid, moment: moment, software: "Holdfast \(Library.version)",
      recordings: recordings)
    info.missing = wanted.missing
    return info
  }

  private func wanted(
    _ writer: BagWriter, _ previous: Previous?, _ disk: Disk, _ didCopy: () -> Void
  ) throws -> (WantedFiles, moment: Date) {
    do {
      try library.refuseIfOffline("nothing was backed up")
    } catch let error as HoldfastError where error.isPermissionDenied {
      // A folder that this user may not read hides only its own files.
    }
    let path = "\(writer.path)/\(Bag.catalog)"
    let moment = Date()
    try library.catalog.copy(to: path)
    didCopy()
    let copy = try Catalog(path: path, access: .reading, journals: library.catalog.journals.known)
    return (try wanted(by: copy, previous, on: disk), moment)
  }
}

extension HoldfastError {
  var isForWantOfSpace: Bool { [ENOSPC, EDQUOT].contains(errno) }

  /// Whether nothing can be written where the library is, although it may be read: its disk is
  /// full, this user may not write there, or it is in a backup.
  public var isForWantOfWriting: Bool {
    switch layer {
    case .storage: isForWantOfSpace || isReadOnly
    case .catalog: [.full, .readOnly].contains(code)
    case .media, .library: false
    }
  }
}
