public import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// An event of a restore of single recordings.
public enum RecordingRestoreEvent: Sendable {
  /// The restore begins, from this backup.
  case began(BackupSummary)
  /// A recording is back, and so many records name it again.
  case restored(Recording, links: Int)
  /// A recording was in the library. Its damaged or missing files were repaired, by this, and so
  /// many records name it again. The last value is the ID that was asked for, if a merge has given
  /// the recording another one.
  case repaired(Recording, files: String?, links: Int, formerly: RecordingID?)
  /// A recording is in the library, and whole. The second value is the ID that was asked for, if a
  /// merge has given the recording another one.
  case unchanged(Recording, formerly: RecordingID?)
  /// A recording is not restored. The name is what was asked for, escaped for display.
  case failed(name: String, LibraryError)
  /// All are done.
  case finished
}

extension Library {
  /// Brings single recordings back from a backup of this library.
  ///
  /// A recording that was deleted gets its files, its row, and the links of the records that named
  /// it and name none now, even if another recording has the same bytes. A recording that is in the
  /// library, if only under the ID that a merge has given it, keeps its row. Its damaged or missing
  /// files are repaired, and it gets the links back that it lost.
  ///
  /// - Parameters:
  ///   - prefixes: The recordings' IDs, or at least the first four characters of each.
  ///   - path: The folder with the backups, or that of a single one.
  ///   - choice: Which of the backups.
  /// - Returns: The restore, which has begun. One recording that fails does not stop the others. Its
  ///   last event is ``RecordingRestoreEvent/finished``, unless it throws ``LibraryError`` or
  ///   `CancellationError`.
  /// - Throws: ``LibraryError`` when there is no such backup, when it is of another library, and when
  ///   this one was opened for reading or without an engine.
  public func restore(
    recordings prefixes: [String], from path: String, taking choice: BackupChoice = .newest
  ) throws -> LibraryRun<RecordingRestoreEvent> {
    try LibraryError.translating {
      let tree = try writableTree()
      let bag = try Self.bag(in: path, choice)
      guard bag.info.library == tree.marker.uuid else {
        throw StorageError(.foreignBag, "restore from", path: bag.path)
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
  }
}
