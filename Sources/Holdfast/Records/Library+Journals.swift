import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage

/// Journals: kinds of records that a library has only if they are enabled.
extension Library {
  /// Returns the names of the journals that are enabled in the library and known to the program.
  public func enabledJournals() throws -> [String] {
    try catalog.journals.enabled()
  }

  /// Enables a journal: its tables are made.
  ///
  /// - Parameter name: The name of a journal that the library was opened with.
  /// - Returns: Whether it was not enabled before.
  /// - Throws: `HoldfastError` when the journal is missing, and when its tables are not as it
  ///   declares them. Nothing is changed then.
  @discardableResult
  public func enableJournal(_ name: String) throws -> Bool {
    try whileLocked { try catalog.journals.enable(name) }
  }

  /// Disables a journal: its tables are dropped, and nothing of them is left in the catalog's file.
  ///
  /// - Parameters:
  ///   - name: The name of a journal that the library was opened with.
  ///   - isErasing: Whether to delete the journal's records.
  /// - Returns: Whether it was enabled.
  /// - Throws: `HoldfastError`, with the code `journalNotEmpty` when the journal has records and
  ///   is not to be erased. Nothing is changed then.
  @discardableResult
  public func disableJournal(_ name: String, erasing isErasing: Bool = false) throws -> Bool {
    try writableTree().withWriterLock { lock in
      if isErasing {
        let photos = try catalog.records.photos(ofJournal: name)
        if !photos.isEmpty { try refuseIfOffline("the journal was not disabled") }
        // One by one: a journal may have thousands.
        for photo in photos {
          try deletePhotos([photo], under: lock) { try catalog.records.deletePhoto(photo) }
        }
        if catalog.records.hasPhotos(ofJournal: name) { try deletePhotosWithoutRow(under: lock) }
      }
      let wasEnabled = try catalog.journals.disable(name, erasing: isErasing)
      // A large catalog stays due for compaction.
      if wasEnabled { _ = try catalog.compaction.runIfSmall() }
      return wasEnabled
    }
  }

  /// Returns how many records of each kind a journal has.
  ///
  /// - Parameter name: The name of the journal.
  /// - Returns: The counts in the order of the journal's kinds; none if it is not enabled.
  public func journalCounts(_ name: String) throws -> [(kind: RecordKind, count: Int)] {
    try catalog.journals.counts(of: name)
  }

  /// Returns the records of all kinds that are linked to a recording, newest first.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - limit: The most records of a kind to return.
  ///   - includesPrivate: Whether private records are returned too.
  public func links(
    to recording: RecordingID, limit: Int = .max - 1,
    includingPrivate includesPrivate: Bool = false
  ) throws -> [LinkedRecords] {
    try catalog.records.links(to: recording, limit: limit, includingPrivate: includesPrivate)
  }
}
