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
    _ writer: BagWriter, after previous: Previous?, on disk: Disk, _ didCopy: () -> Void
  ) throws -> (BagInfo, () throws -> Copied) {
    let tree = library.tree
    var isLocked = false
    do {
      return try tree.withWriterLock(until: stop) { lock -> (BagInfo, () throws -> Copied) in
        isLocked = true
        let staging: Staging
        do throws(HoldfastError) { staging = try tree.makeStaging(id: UUID(), under: lock) } catch {
          guard error.isForWantOfSpace || error.isPermissionDenied else { throw error }
          return try unpinned(writer, after: previous, on: disk, didCopy)
        }
        do {
          return try pinned(
            writer, after: previous, on: disk, didCopy, in: staging, under: lock)
        } catch {
          try? staging.remove()
          throw error
        }
      }
    } catch let error as HoldfastError where !isLocked && error.isReadOnly {
      return try unpinned(writer, after: previous, on: disk, didCopy)
    }
  }

  private func pinned(
    _ writer: BagWriter, after previous: Previous?, on disk: Disk, _ didCopy: () -> Void,
    in staging: Staging, under lock: borrowing WriterLock
  ) throws -> (BagInfo, () throws -> Copied) {
    let (info, copy) = try list(writer, after: previous, on: disk, didCopy) { file, earlier in
      // Without a pin, the file is looked up again when it is copied.
      if earlier != .same { return try staging.pin(file.path, under: lock) }
      guard options.verifies else { return false }
      // The last backup's file may turn out not to be the right one.
      return (try? staging.pin(file.path, under: lock)) == true
    }
    return (
      info,
      {
        defer { try? staging.remove() }
        return try copy(staging)
      }
    )
  }

  private func unpinned(
    _ writer: BagWriter, after previous: Previous?, on disk: Disk, _ didCopy: () -> Void
  ) throws -> (BagInfo, () throws -> Copied) {
    let (info, copy) = try list(writer, after: previous, on: disk, didCopy) { _, _ in false }
    let copied = try copy(nil)
    return (info, { copied })
  }

  /// Copies the catalog, and lists the files.
  ///
  /// - Parameter pin: Gives a file a second name in staging. Returns whether it has one.
  private func list(
    _ writer: BagWriter, after previous: Previous?, on disk: Disk, _ didCopy: () -> Void,
    pinning pin: (Wanted, Earlier) throws -> Bool
  ) throws -> (BagInfo, (Staging?) throws -> Copied) {
    do {
      try library.refuseIfOffline("nothing was backed up")
    } catch let error as HoldfastError where error.isPermissionDenied {
      // A folder that this user may not read hides only its own files.
    }
    let path = "\(writer.path)/\(Bag.catalog)"
    let moment = Date()
    try library.catalog.copy(to: path)
    didCopy()
    let catalog = try Catalog(
      path: path, access: .reading, journals: library.catalog.journals.known)
    let wanted = try wanted(by: catalog, previous, on: disk)
    let sources = library.tree.files
    var copies: [PreviousCopy] = []
    let recordings = try wanted.forEach { file in
      try stop.check()
      let earlier = try earlier(file, of: sources, in: previous)
      copies.append(PreviousCopy(earlier: earlier, isPinned: try pin(file, earlier)))
    }
    var info = BagInfo(
      library: library.tree.marker.uuid, moment: moment, software: "Holdfast \(Library.version)",
      recordings: recordings)
    info.missing = wanted.missing
    return (info, { [copies] in try copy(wanted, copies, with: writer, after: previous, in: $0) })
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
