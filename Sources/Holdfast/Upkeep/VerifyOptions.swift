internal import Foundation
public import HoldfastModel

/// How thoroughly a library is verified, and whether findings are repaired.
public struct VerifyOptions: Sendable {
  /// Whether every byte of the recordings and their thumbnails is read and compared with its hash.
  /// A repair always does this: otherwise it cannot know what to repair.
  public var isDeep = false
  /// Whether every recording is decoded once. This needs an engine.
  public var decodes = false
  /// Whether findings are repaired. This needs an engine and a library that is open for writing.
  public var repairs = false
  /// Files and folders in which a repair looks for missing or damaged files.
  public var backups: [String] = []
  /// Skips recordings that were found intact less than this many seconds ago; `nil` skips none.
  public var olderThan: Double?
  /// After this many seconds, no further recording is read; `nil` sets no limit. Recordings with a
  /// known fault are read first, then those least recently found intact.
  public var longest: Double?
  /// How many recordings are read at a time, within ``JobCount/range``.
  public var jobs = JobCount.usual { didSet { jobs = JobCount.clamped(jobs) } }

  /// Whether a repair only puts back missing files, and leaves everything else as it is. This is so
  /// while none of the recordings' files is there: they may be on a disk that is not mounted.
  var onlyPutsBack = false

  /// How many seconds a command that only looks at a library waits for a writer.
  public static let longestWait = 5.0

  /// Whether every byte is read, on request or for a repair.
  var readsAll: Bool { isDeep || repairs }

  /// Makes options that only compare names, sizes and permissions, and change nothing.
  public init() {}
}

/// The result of a verification, in figures.
public struct VerifySummary: Hashable, Sendable {
  /// How many recordings were compared with their files.
  public var recordings = 0
  /// How many recordings' files were read whole, to hash or to decode them.
  public var read = 0
  /// How many recordings were not read because time ran out.
  public var left = 0
  /// How many bytes were read to hash them.
  public var bytes: Int64 = 0
  /// How many findings there were.
  public var findings = 0
  /// How many findings were repaired.
  public var repaired = 0
  /// The timeout that prevented a look without writers, or prevented storing what was verified;
  /// `nil` if there was none. If there was one, findings may be another command's unfinished work.
  public var lockTimeout: LockTimeout?
  /// Whether the check of the catalog's own structure was skipped. It takes long for a large
  /// catalog, and is not done while another command is writing.
  public var isCatalogUnchecked = false
}
