internal import Foundation
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// Backups. Each is a folder in the form of BagIt (RFC 8493), which other programs can verify.
extension Library {
  /// Backs the library up, while others read it and write to it.
  ///
  /// The backup has what the library had at one moment: its catalog, the recordings' files, their
  /// thumbnails, what is in quarantine, and an export. Files that the last backup has with the hash
  /// that the catalog names are not read. They share their bytes with it.
  ///
  /// - Parameters:
  ///   - path: The folder that holds the backups. It is made if its parent exists.
  ///   - options: Which older backups are kept.
  /// - Returns: The backup, which has begun. Its last event is
  ///   ``BackupEvent/finished(_:copied:bytes:)``, unless it throws ``LibraryError`` or
  ///   `CancellationError`. Then there is no new backup, and the older ones are as they were.
  /// - Throws: ``LibraryError`` when none of the recordings' files is there.
  public func backUp(
    to path: String, options: BackupOptions = BackupOptions()
  ) throws -> LibraryRun<BackupEvent> {
    try LibraryError.translating {
      guard !path.isEmpty else {
        throw LibraryError(.notBackedUp, "the folder for backups has no name; give one")
      }
      try refuseIfOffline("nothing was backed up")
      return LibraryRun { [self] report in
        try await onOwnThread { stop in
          let run = BackupRun(
            library: self, path: SourcePath(LibraryLocation(path: path).absolutePath),
            options: options, report: report, stop: stop)
          do {
            options.isDryRun ? try run.plan() : try run.run()
          } catch let failure as WritingFailure {
            throw failure.reason
          }
        }
      }
    }
  }

  /// Returns the backups in a folder, oldest first.
  ///
  /// - Parameter path: The folder, or that of a single backup.
  /// - Throws: ``LibraryError``, also if there is none.
  public static func backups(in path: String) throws -> [BackupSummary] {
    try LibraryError.translating { try bags(in: path).map(BackupSummary.init) }
  }

  /// Returns the bags in a folder, or the one that it is.
  static func bags(in path: String) throws -> [Bag] {
    do {
      return [try Bag.open(at: SourcePath(path))]
    } catch let error where error.code == .noBag {
      let bags = try BackupFolder.open(at: SourcePath(path)).bags()
      if bags.isEmpty { throw error }
      return bags
    }
  }
}

extension BackupSummary {
  init(_ bag: Bag) { self.init(bag.info, name: bag.name, path: bag.path) }

  init(_ info: BagInfo, name: String, path: String) {
    self.init(
      name: name, path: path, moment: info.moment, library: info.library,
      recordings: info.recordings, files: info.files, bytes: info.bytes, missing: info.missing)
  }
}
