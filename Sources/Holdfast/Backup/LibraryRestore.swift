import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// An event of a restore.
public enum RestoreEvent: Sendable {
  /// The restore begins, from this backup.
  case began(BackupSummary)
  /// The number of files copied so far.
  case copied(Int, of: Int)
  /// A file of the backup is damaged or missing, and is not in the library.
  case failed(path: String, HoldfastError)
  /// Verification of the new library found something.
  case found(VerifyFinding)
  /// The library is complete.
  case finished(BackupSummary)
}

/// The restore of a whole library from a backup.
///
/// The library is verified before it gets its name. Until then there is nothing at its place.
struct LibraryRestore: Sendable {
  let bag: Bag
  /// The new library's folder, which has no name yet.
  let folder: RestoredFolder
  /// Whether to restore the rest of a backup that has a damaged file.
  let takesRest: Bool
  let journals: [Journal]
  let report: @Sendable (RestoreEvent) -> Void

  func run() async throws {
    report(.began(BackupSummary(bag)))
    do {
      let manifest = try manifest()
      try await onOwnThread { stop in
        do { try copy(manifest, until: stop) } catch let failure as WritingFailure {
          throw failure.reason
        }
      }
      try await verify()
      try await onOwnThread { _ in try folder.finish() }
    } catch {
      folder.discard()
      throw error
    }
    report(.finished(BackupSummary(bag)))
  }

  /// Reads the bag's list of files. If the rest is wanted, the files that describe the bag may have
  /// changed.
  private func manifest() throws -> BagManifest {
    do {
      return try bag.manifest(trustingDescription: takesRest)
    } catch {
      guard !takesRest, (try? bag.manifest(trustingDescription: true)) != nil else { throw error }
      throw HoldfastError(
        .damagedBackup,
        "the description of the backup \(bag.name.escapedForDisplay): \(error.reason)",
        path: bag.path, cause: .error(error))
    }
  }

  private func copy(_ manifest: BagManifest, until stop: StopFlag) throws {
    let prefix = "\(Bag.payload)/"
    for needed in [Bag.catalog, Bag.marker] where try manifest.hash(of: needed.utf8) == nil {
      throw HoldfastError(
        .unusableBackup,
        "the list of the backup \(bag.name.escapedForDisplay) does not name \(needed)",
        path: bag.path)
    }
    let total = manifest.count - (try manifest.hash(of: Bag.export.utf8) == nil ? 0 : 1)
    var done = 0
    try manifest.forEach { bytes, hash in
      let bagPath = String(decoding: bytes, as: UTF8.self)
      if bagPath == Bag.export { return }
      try stop.check()
      do {
        let path = String(decoding: bytes.dropFirst(prefix.utf8.count), as: UTF8.self)
        guard Self.isOfLibrary(path) else {
          throw HoldfastError(.damagedBackup, "a library has no such file")
        }
        let source = try bag.open(bagPath)
        guard try folder.copy(source, to: path, expecting: hash, until: stop) else {
          throw HoldfastError(.damagedBackup, "its bytes are not those that were backed up")
        }
      } catch let failure as HoldfastError where failure.layer != .catalog {
        // A library needs these two.
        let isNeeded = [Bag.catalog, Bag.marker].contains(bagPath)
        guard takesRest, !isNeeded else {
          throw HoldfastError(
            isNeeded ? .unusableBackup : .damagedBackup,
            "\(bagPath.escapedForDisplay) of the backup \(bag.name.escapedForDisplay): "
              + failure.reason, path: bag.path, cause: .error(failure))
        }
        report(.failed(path: bagPath.escapedForDisplay, failure))
      }
      done += 1
      report(.copied(done, of: total))
    }
    try folder.complete()
  }

  /// Whether a backup may have this file. An untrusted bag may hold anything: a journal beside the
  /// catalog, for example, could have SQLite remove any file.
  private static func isOfLibrary(_ path: String) -> Bool {
    let prefix = "\(Bag.payload)/"
    if [Bag.catalog, Bag.marker].contains(prefix + path) { return true }
    return path.hasPrefix(".quarantine/") || RelativePath(path) != nil
  }

  /// Opens the new library, which brings its catalog up to date, and compares its files with it.
  private func verify() async throws {
    let library = try await onOwnThread { stop in
      let location = LibraryLocation(path: folder.path)
      let library = try Library.open(at: location, for: .reading, journals: journals)
      // A backup keeps the last good copy of what is damaged in the library.
      let intact = try library.catalog.files.faulty().filter { file in
        try RelativePath(file.filePath).map {
          try library.tree.hasBytes(file.fileSHA256, at: $0, until: stop)
        } ?? false
      }
      // It may get the path of the library that it is a copy of, but counts its own plays.
      if try library.catalog.recordings.hasReplicas() || !intact.isEmpty,
        let writable = try? Library.open(at: location, for: .writing, journals: journals)
      {
        try writable.whileLocked {
          try writable.catalog.recordings.forgetReplicas()
          try writable.catalog.files.setVerified(intact.map(\.id), at: Date())
        }
      }
      return library
    }
    for try await event in try library.verify() {
      if case .found(let finding) = event { report(.found(finding)) }
    }
  }
}
