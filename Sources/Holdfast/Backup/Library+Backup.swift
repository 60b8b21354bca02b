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
          } catch {
            let cause = (error as? WritingFailure)?.reason ?? error
            guard var failure = LibraryError(below: cause) else { throw cause }
            // Until it is whole, a backup has a name that nobody knows. What is in its way has that name.
            if (cause as? StorageError)?.code != .exists {
              failure.description = BagWriter.shown(failure.description)
              failure.path = failure.path.map(BagWriter.shown)
            }
            throw failure
          }
        }
      }
    }
  }

  /// Finishes or undoes an update of a backup that was interrupted. Call it before you read backups.
  ///
  /// A disk without hard links has one backup, which each new one updates.
  ///
  /// - Parameter path: The folder with the backups, or that of a single one.
  /// - Returns: Whether it was finished or undone; `nil` if there was none.
  /// - Throws: ``LibraryError`` when another backup is at work there, or the disk cannot be written.
  public static func settleBackups(in path: String) throws -> Bool? {
    try LibraryError.translating {
      let given = bagPath(LibraryLocation(path: path).absolutePath)
      let place = Bag.hasUpdate(at: given) ? given.folder : given
      guard let folder = try? BackupFolder.open(at: place), try folder.hasUpdate() else {
        return nil
      }
      let isBagInUpdate = try folder.hasBagInUpdate()
      do {
        return try BackupFolder.openForWriting(at: place).settleUpdate().map { $0 == .finished }
      } catch let error as StorageError where error.isForWantOfRights || error.isForWantOfSpace {
        // A disk that fails can often only be read. What the update had not begun to change is as it was.
        if !isBagInUpdate { return nil }
        throw LibraryError(
          .unfinishedUpdate,
          "an update of a backup in \(path.escapedForDisplay) was interrupted, and it can be neither "
            + "finished nor undone: \(error.reason)", path: path, underlying: error)
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

  /// Returns the names of the folders beside backups that should be backups and cannot be read, because
  /// `bagit.txt` or `bag-info.txt` is missing or damaged, or they may not be read.
  ///
  /// - Parameter path: The folder with the backups. That of a single one has none.
  /// - Throws: ``LibraryError`` when the folder cannot be read.
  public static func unreadableBackups(in path: String) throws -> [String] {
    try LibraryError.translating {
      let path = bagPath(path)
      if (try? Bag.open(at: path)) != nil { return [] }
      return try BackupFolder.open(at: path).unreadableBags()
    }
  }

  /// Returns the path of a backup, or of a folder of backups, that a user named. The data of a backup
  /// stands for the backup.
  static func bagPath(_ path: String) -> SourcePath {
    Bag.path(ofBagWithData: SourcePath(path))
  }

  /// Returns the bags in a folder, or the one that it is.
  static func bags(in path: String) throws -> [Bag] {
    let place = bagPath(path)
    if try BackupFolder.hasBagInUpdate(at: place) { throw LibraryError.unfinishedUpdate(path) }
    do {
      return [try Bag.open(at: place)]
    } catch let error where error.code == .noBag {
      let folder = try BackupFolder.open(at: place)
      let bags = try folder.bags()
      if bags.isEmpty, try folder.unreadableBags().isEmpty { throw error }
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

extension LibraryError {
  /// The error of a folder that should be a backup.
  static var unreadableBackup: LibraryError {
    LibraryError(
      .damagedBackup,
      "it cannot be read as a backup: \(Bag.declarationName) or \(Bag.infoName) is missing, damaged or may not be read; "
        + "merge its folder \(Bag.payload) into a library to get back what it holds"
    )
  }

  /// Makes the error of whoever would read a backup that is being updated.
  static func unfinishedUpdate(_ path: String) -> LibraryError {
    LibraryError(
      .unfinishedUpdate,
      "an update of a backup in \(path.escapedForDisplay) was interrupted, or is under way",
      path: path)
  }
}
