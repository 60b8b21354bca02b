public import HoldfastModel

/// Options for a merge.
public struct MergeOptions: Hashable, Sendable {
  /// Whether to write nothing, and only report what would be done.
  public var isDryRun: Bool
  /// Whether a file is removed from the other library once this one has it, and its row, durably.
  public var takesFiles: Bool
  /// The number of files that are merged at a time.
  public var jobs: Int

  /// Makes options.
  public init(isDryRun: Bool = false, takesFiles: Bool = false, jobs: Int = 4) {
    self.isDryRun = isDryRun
    self.takesFiles = takesFiles
    self.jobs = jobs
  }
}

/// The result of a merge, or of a dry run.
public struct MergeReport: Hashable, Sendable {
  /// Recordings that were added.
  public var added = 0
  /// Recordings of this library that have changed.
  public var updated = 0
  /// Recordings that both libraries had under different IDs. They are among the updated ones.
  public var joined = 0
  /// Recordings that this library has completely.
  public var unchanged = 0
  /// Recordings whose file each library keeps, because neither file covers the other. They are
  /// among the updated or the unchanged ones.
  public var different = 0
  /// Recordings that were not merged.
  public var failed = 0
  /// Photos that were not merged.
  public var failedPhotos = 0
  /// Recordings that were added without their thumbnail, because the other library lacks it.
  public var withoutThumbnail = 0
  /// The bytes of the files that were added, shared or copied.
  public var bytes: Int64 = 0
  /// Recordings whose files were removed from the other library.
  public var taken = 0
  /// The result for the other records.
  public var records: DataImportReport
}

/// An event of a merge.
public enum MergeEvent: Sendable {
  /// The number of the other library's recordings that are compared, and merged if need be.
  case compared(Int, of: Int)
  /// A file that was to be removed stays in the other library: its path there, and why.
  case stays(path: String, reason: String)
  /// Each library keeps its own file of a recording: its ID in this library, and how the files
  /// differ.
  case different(id: RecordingID, reason: String)
  /// A recording was not merged. Its ID in the other library, as it is stored.
  case failed(id: String, HoldfastError)
  /// The merge is complete.
  case finished(MergeReport)
}
