internal import Foundation
public import HoldfastModel

/// How thoroughly a library is verified, and what is done about what is found.
public struct VerifyOptions: Sendable {
  /// Whether every byte of the recordings and their thumbnails is read and compared with its hash.
  /// A repair always does so: it cannot tell otherwise what is to be put right.
  public var isDeep = false
  /// Whether everything is decoded once; it takes an engine.
  public var decodes = false
  /// Whether what is found is put right; it takes an engine and a library open for writing.
  public var repairs = false
  /// Files and folders in which a repair looks for what is missing or damaged.
  public var backups: [String] = []
  /// Reads only what was last read so many seconds ago or more; `nil` for everything.
  public var olderThan: Double?
  /// Begins nothing new after so many seconds; `nil` for no end. What was not read for the longest
  /// time comes first.
  public var longest: Double?
  /// How many files are read at a time, within ``JobCount/range``.
  public var jobs = JobCount.usual { didSet { jobs = JobCount.clamped(jobs) } }

  /// Whether a repair only puts files back whose place is empty, and leaves everything else as it is:
  /// the recordings' files are not there at all, and may lie on a disk that is not.
  var onlyPutsBack = false

  /// For how many seconds whoever only looks at a library waits for another who is writing.
  public static let longestWait = 5.0

  /// Whether every byte is read, as asked for or for a repair.
  var readsAll: Bool { isDeep || repairs }

  /// Compares names, sizes and permissions, and changes nothing.
  public init() {}
}

/// What a verification looked at.
public struct VerifySummary: Hashable, Sendable {
  /// How many recordings were compared with their files.
  public var recordings = 0
  /// Of how many of them every byte was read.
  public var read = 0
  /// How many were to be read and were not, for want of time.
  public var left = 0
  /// How many bytes were read.
  public var bytes: Int64 = 0
  /// How many findings there were.
  public var findings = 0
  /// How many of them were put right.
  public var repaired = 0
  /// Why it was not possible to look while nobody writes, or to note what was verified: then findings may
  /// be another command's unfinished work. `nil` if it was.
  public var lockTimeout: LockTimeout?
  /// Whether the catalog's own structure was not checked: that of a large one takes long, and is not done
  /// while another command is writing.
  public var isCatalogUnchecked = false
}
