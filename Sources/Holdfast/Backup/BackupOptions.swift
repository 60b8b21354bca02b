public import Foundation
public import HoldfastModel

/// Options for a backup.
public struct BackupOptions: Sendable {
  /// The older backups to keep.
  public enum Keep: Hashable, Sendable {
    /// All of the last week, and the newest of each week of the last year.
    case usual
    /// All.
    case everything
    /// This many of the newest. At least the new one is kept.
    case newest(Int)
  }

  /// The older backups to keep. None is removed if the new backup lacks a file, an older one cannot
  /// be read, or ``verifies`` finds a file that is not as it was backed up.
  public var keep: Keep
  /// Whether nothing is written, and the backup only reports what it would copy.
  public var isDryRun: Bool

  /// Whether all backups in the folder are then read and compared with their lists.
  public var verifies: Bool

  /// Whether the recordings' files in the backup are hard links to the library's own, instead of
  /// copies. If their disk fails, both are lost.
  public var links: Bool

  /// Makes options.
  public init(
    keep: Keep = .usual, isDryRun: Bool = false, verifies: Bool = false, links: Bool = false
  ) {
    self.keep = keep
    self.links = links
    self.verifies = verifies
    self.isDryRun = isDryRun
  }
}

extension BackupOptions.Keep {
  /// Returns which bags to remove.
  ///
  /// A clock that is far ahead would make all bags old, and so would a year without a backup. So at
  /// most a month counts between two bags. All bags of the last week are kept. For this rule, the
  /// last pause of over a week does not count: the week before it is kept until there is a new week
  /// of bags.
  ///
  /// - Parameter moments: The times at which the bags were made, oldest first. The last bag is
  ///   always kept.
  package func removed(_ moments: [Date]) -> [Int] {
    let older = moments.indices.dropLast()
    switch self {
    case .everything: return []
    case .newest(let count): return Array(older.dropLast(max(count, 1) - 1))
    case .usual:
      let (day, week) = (86_400.0, 604_800.0)
      let ages = Self.ages(moments) { min($0, 31 * day) }
      var hasPause = false
      let withoutPause = Self.ages(moments) { passed in
        guard !hasPause, passed > 7 * day else { return passed }
        hasPause = true
        return 0
      }
      return older.filter { index in
        guard withoutPause[index] > 7 * day else { return false }
        guard ages[index] <= 366 * day else { return true }
        // Weeks are counted from 1970, so a bag's week does not depend on the present.
        let isLastOfWeek =
          (moments[index].timeIntervalSince1970 / week).rounded(.down)
          != (moments[index + 1].timeIntervalSince1970 / week).rounded(.down)
        return !isLastOfWeek
      }
    }
  }

  /// Returns how long before the last bag each was made.
  ///
  /// - Parameter counted: Returns how much of the time between two bags counts. It is called for
  ///   the last two bags first.
  private static func ages(
    _ moments: [Date], _ counted: (TimeInterval) -> TimeInterval
  ) -> [TimeInterval] {
    var ages = moments.map { _ in 0.0 }
    for index in moments.indices.dropLast().reversed() {
      let passed = max(moments[index + 1].timeIntervalSince(moments[index]), 0)
      ages[index] = ages[index + 1] + counted(passed)
    }
    return ages
  }
}

/// An event of a backup.
public enum BackupEvent: Sendable {
  /// Work that an interrupted backup left behind was removed.
  case cleaned
  /// An interrupted update of a backup was finished or undone. Backups are updated only on a disk
  /// without hard links.
  case settled(isFinished: Bool)
  /// The number of files copied so far, of those that must be copied.
  case copied(Int, of: Int)
  /// A file is not in the backup, or is there as the last backup had it; or an older backup cannot
  /// be removed. The path is escaped for display.
  case failed(path: String, HoldfastError)
  /// An older backup cannot be read. Its name is escaped for display.
  case unreadable(name: String, HoldfastError)
  /// An older backup was removed, as the option `keep` says.
  case removed(BackupSummary)
  /// The number of files read so far, of all backups.
  case verified(Int, of: Int)
  /// Something is wrong with a backup.
  case found(BackupFinding)
  /// The backup is whole. In a dry run, it would be.
  case finished(BackupSummary, copied: Int, bytes: Int64)
}

/// A summary of a backup, made without reading its files.
public struct BackupSummary: Codable, Hashable, Sendable {
  /// The name of its folder; empty in a dry run.
  public var name: String
  /// The path of its folder.
  public var path: String
  /// The time of the catalog's copy: the backup has the library as it was then.
  public var moment: Date
  /// The library that was backed up.
  public var library: UUID
  /// The number of its recordings.
  public var recordings: Int
  /// The number of its files.
  public var files: Int
  /// The size of its files in bytes.
  public var bytes: Int64
  /// The number of files that it lacks, because the library lacked them or had others in their
  /// place.
  public var missing: Int
}
