internal import Foundation
internal import Glibc
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// The moment whose state a backup has.
extension BackupRun {
  /// What was done with the files.
  struct Copied {
    /// How many were copied.
    var count = 0
    /// How many bytes they have.
    var bytes: Int64 = 0
    /// How many are not in the backup.
    var missing = 0
    /// How many damaged ones the backup has from the last one.
    var saved = 0
  }

  /// Copies the catalog, and pins what must be copied, under the writer lock.
  ///
  /// Where nothing can be written to the library, nothing can be pinned. Its files are then copied
  /// under the lock, or without it where not even the lock can be written. A file that another command
  /// deletes meanwhile is then reported as missing; no other file is backed up in its place.
  ///
  /// - Parameters:
  ///   - writer: The bag.
  ///   - previous: The last bag.
  ///   - ignoresCase: Whether the bag's disk ignores the case of names.
  ///   - didCopy: Called when the catalog is copied.
  /// - Returns: The bag's description, and what copies the files.
  func snapshot(
    _ writer: BagWriter, _ previous: Previous?, ignoringCase ignoresCase: Bool,
    _ didCopy: () -> Void
  ) throws -> (BagInfo, () throws -> Copied) {
    let tree = library.tree
    do {
      return try tree.withWriterLock(until: stop) { lock -> (BagInfo, () throws -> Copied) in
        let staging: Staging
        do throws(StorageError) { staging = try tree.makeStaging(id: UUID(), under: lock) } catch {
          guard error.isForWantOfSpace || error.isForWantOfRights else { throw error }
          return try unpinned(writer, previous, ignoresCase, didCopy)
        }
        do {
          return try pinned(writer, previous, ignoresCase, didCopy, staging, under: lock)
        } catch {
          try? staging.remove()
          throw error
        }
      }
    } catch let error as StorageError
      where error.isForWantOfRights && error.path.hasSuffix("/.lock")
    {
      return try unpinned(writer, previous, ignoresCase, didCopy)
    }
  }

  private func pinned(
    _ writer: BagWriter, _ previous: Previous?, _ ignoresCase: Bool, _ didCopy: () -> Void,
    _ staging: Staging,
    under lock: borrowing WriterLock
  ) throws -> (BagInfo, () throws -> Copied) {
    var (wanted, info) = try wanted(writer, previous, ignoresCase, didCopy)
    for index in wanted.indices {
      try stop.check()
      let (path, name) = (wanted[index].path, "file-\(index)")
      // Without a pin, the file is looked for again when it is to be copied.
      if wanted[index].mustBeRead {
        if try staging.pin(path, as: name, under: lock) { wanted[index].pin = name }
      } else if options.verifies, (try? staging.pin(path, as: name, under: lock)) == true {
        // The last backup's file may turn out not to be the right one.
        wanted[index].pin = name
      }
    }
    let files = wanted
    return (
      info,
      {
        defer { try? staging.remove() }
        return try self.copy(files, writer, previous, staging)
      }
    )
  }

  private func unpinned(
    _ writer: BagWriter, _ previous: Previous?, _ ignoresCase: Bool, _ didCopy: () -> Void
  ) throws -> (BagInfo, () throws -> Copied) {
    let (wanted, info) = try wanted(writer, previous, ignoresCase, didCopy)
    let copied = try copy(wanted, writer, previous, nil)
    return (info, { copied })
  }

  /// Copies the catalog, and lists the files that it names.
  private func wanted(
    _ writer: BagWriter, _ previous: Previous?, _ ignoresCase: Bool, _ didCopy: () -> Void
  ) throws -> ([Wanted], BagInfo) {
    try library.refuseIfOffline("nothing was backed up")
    let path = "\(writer.path)/\(Bag.catalog)"
    let moment = Date()
    try library.catalog.copy(to: path)
    didCopy()
    let copy = try Catalog(path: path, access: .reading, journals: library.catalog.journals)
    let (files, recordings, missing) = try wanted(
      by: copy, previous, ignoringCase: ignoresCase)
    var info = BagInfo(
      library: library.tree.marker.uuid, moment: moment, software: "Holdfast \(Library.version)",
      recordings: recordings)
    info.missing = missing
    return (files, info)
  }
}

extension StorageError {
  /// Whether the system refused because the disk is full.
  var isForWantOfSpace: Bool { [ENOSPC, EDQUOT].contains(errno) }
}

extension LibraryError {
  /// Whether nothing can be written where the library is, although it may be read: its disk is full, or
  /// this user may not write there.
  public var isForWantOfWriting: Bool {
    switch underlying {
    case let error as StorageError: error.isForWantOfSpace || error.isForWantOfRights
    case let error as CatalogError: [.full, .readOnly].contains(error.code)
    default: false
    }
  }
}
