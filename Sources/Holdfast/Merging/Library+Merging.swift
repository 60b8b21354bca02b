import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// Merging. Two libraries that are merged into each other have the same contents afterwards.
extension Library {
  /// Merges another library into this one. The other one is only read, unless
  /// ``MergeOptions/takesFiles`` is set.
  ///
  /// * Recordings are the same if their IDs match, or else if they were made from the same part of
  ///   the same source. In the second case the smaller ID is kept, the other one becomes another
  ///   name of the recording, and both notes are kept. A file is replaced only by one that holds as
  ///   much in every respect. If neither file does, recordings with different IDs stay apart, and a
  ///   recording with one ID keeps its file in each library.
  /// * Other records match by ID. The later edit wins.
  /// * Plays are counted for each replica of a library. The larger count of each is kept.
  /// * A deletion in one library deletes nothing in the other.
  ///
  /// An interrupted merge continues where it stopped when it is begun again.
  ///
  /// - Parameters:
  ///   - path: The other library's folder, a backup, or a folder of backups, whose newest is
  ///     merged.
  ///   - options: How to merge.
  ///   - previous: Another merge into this library. This one reads meanwhile, and merges when the
  ///     other one has ended.
  /// - Returns: The merge, which has begun. Its last event is ``MergeEvent/finished(_:)``, unless
  ///   it throws `HoldfastError` or `CancellationError`. Then the recordings merged so far stay.
  /// - Throws: `HoldfastError` when none of the recordings' files is there.
  public func merge(
    _ path: String, options: MergeOptions = MergeOptions(),
    after previous: LibraryRun<MergeEvent>? = nil
  ) throws -> LibraryRun<MergeEvent> {
    if !options.isDryRun { _ = try writableTree() }
    try refuseIfOffline("nothing was merged")
    return LibraryRun { [self] report in
      let run = MergeRun(library: self, options: options, previous: previous, report: report)
      do {
        try await run.run(LibraryLocation(path: path).absolutePath)
      } catch let failure as WritingFailure {
        throw failure.reason
      }
    }
  }
}
