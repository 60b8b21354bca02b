import Foundation
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

extension Library {
  /// Backs the library up, while others read it and write to it.
  ///
  /// The backup has what the library had at one moment: its catalog, the recordings' files, their
  /// thumbnails, the files in quarantine, and an export. Files that the last backup has with the
  /// catalog's hash are not read. They share their bytes with it.
  ///
  /// - Parameters:
  ///   - path: The folder that holds the backups. It is made if its parent exists.
  ///   - options: The options for the backup.
  /// - Returns: The backup, which has begun. Its last event is
  ///   ``BackupEvent/finished(_:copied:bytes:)``, unless it throws `HoldfastError` or
  ///   `CancellationError`. Then no backup is made, and the older ones are as they were.
  /// - Throws: `HoldfastError` when none of the recordings' files is there.
  public func backUp(
    to path: String, options: BackupOptions = BackupOptions()
  ) throws -> LibraryRun<BackupEvent> {
    guard !path.isEmpty else {
      throw HoldfastError(
        .notBackedUp, "the folder for backups has no name", operation: "name the folder")
    }
    try refuseIfOffline("nothing was backed up")
    let place = SourcePath(LibraryLocation(path: path).absolutePath)
    return LibraryRun { [self] report in
      try await onOwnThread { stop in
        try BackupRun(library: self, path: place, options: options, report: report, stop: stop)
          .run()
      }
    }
  }

  /// Makes a library from a backup.
  ///
  /// The library is verified before it gets its name. Until then there is nothing at its place.
  ///
  /// - Parameters:
  ///   - path: The folder with the backups, or that of a single one.
  ///   - location: The new library's folder. It must be new or empty.
  ///   - choice: The backup to restore from.
  ///   - takesRest: Whether to restore the rest of a backup that has a damaged file.
  ///   - journals: The journals that the program knows.
  /// - Returns: The restore, which has begun. Its last event is ``RestoreEvent/finished(_:)``,
  ///   unless it throws `HoldfastError` or `CancellationError`. Then no library is made.
  /// - Throws: `HoldfastError` when the backup is missing, and when something is at the place.
  public static func restore(
    from path: String, to location: LibraryLocation, taking choice: BackupChoice = .newest,
    takingRest takesRest: Bool = false, journals: [Journal] = []
  ) throws -> LibraryRun<RestoreEvent> {
    let bag = try Backups(in: path).bag(choice)
    let folder = try RestoredFolder(at: SourcePath(location.absolutePath))
    return LibraryRun { report in
      try await LibraryRestore(
        bag: bag, folder: folder, takesRest: takesRest, journals: journals, report: report
      ).run()
    }
  }

  /// Brings single recordings back from a backup of this library.
  ///
  /// A recording that was deleted gets its files, its row, and the links of the records that named
  /// it and name none now, even if another recording has the same bytes. A recording that is in the
  /// library, perhaps under an ID that a merge has given it, keeps its row. Its damaged or missing
  /// files are repaired, and its lost links restored.
  ///
  /// - Parameters:
  ///   - prefixes: The recordings' IDs, or at least the first four characters of each.
  ///   - path: The folder with the backups, or that of a single one.
  ///   - choice: The backup to restore from.
  /// - Returns: The restore, which has begun. One recording that fails does not stop the others.
  ///   Its last event is ``RecordingRestoreEvent/finished``, unless it throws `HoldfastError` or
  ///   `CancellationError`.
  /// - Throws: `HoldfastError` when the backup is missing, when it belongs to another library,
  ///   and when this one was opened for reading or without an engine.
  public func restore(
    recordings prefixes: [String], from path: String, taking choice: BackupChoice = .newest
  ) throws -> LibraryRun<RecordingRestoreEvent> {
    let tree = try writableTree()
    let bag = try Backups(in: path).bag(choice)
    guard bag.info.library == tree.marker.uuid else {
      throw HoldfastError(.foreignBag, operation: "restore from", path: bag.path)
    }
    let engine = try mediaEngine()
    return LibraryRun { [self] report in
      report(.began(BackupSummary(bag)))
      let manifest = try await onOwnThread { _ in try bag.manifest() }
      let restore = RecordingRestore(
        library: self, tree: tree, engine: engine, bag: bag, manifest: manifest, report: report)
      try await restore.run(prefixes)
      report(.finished)
    }
  }

  /// Returns the folder that ``noteBackupFolder(_:)`` noted; `nil` for none.
  ///
  /// - Throws: `HoldfastError` when the library's marker cannot be read.
  public func backupFolder() throws -> String? {
    try tree.backupFolder()
  }

  /// Notes in the library the folder of its backups. An erase removes the note.
  ///
  /// - Parameter path: The folder; `nil` for none. A path that is too long to store, of some
  ///   thousand characters, is not noted.
  /// - Throws: `HoldfastError` when the library was opened for reading, or its marker cannot be
  ///   written.
  public func noteBackupFolder(_ path: String?) throws {
    let tree = try writableTree()
    try tree.withWriterLock { lock in try tree.setBackupFolder(path, under: lock) }
  }
}
