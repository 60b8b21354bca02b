import Foundation

/// Options for verifying and repairing a library.
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
  /// known fault are read first, then those verified longest ago.
  public var longest: Double?
  /// The number of recordings that are read at a time, within ``JobCount/range``.
  public var jobs = JobCount.usual { didSet { jobs = JobCount.clamped(jobs) } }

  /// Whether a repair only puts back missing files, and leaves everything else as it is. This is so
  /// while none of the recordings' files is there: they may be on a disk that is not mounted.
  var onlyPutsBack = false

  /// The most seconds that a command that only reads a library waits for a writer.
  public static let longestWait = 5.0

  /// Whether every byte is read, on request or for a repair.
  var readsAll: Bool { isDeep || repairs }

  /// Makes options that only compare names, sizes and permissions, and change nothing.
  public init() {}
}
