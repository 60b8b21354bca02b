public import Foundation

/// How a library is backed up.
public struct BackupOptions: Sendable {
  /// Which older backups are kept.
  public enum Keep: Hashable, Sendable {
    /// All of the last week, and the newest of each week of the last year.
    case usual
    /// All.
    case everything
    /// This many of the newest. At least the new one is kept.
    case newest(Int)
  }

  /// Which older backups are kept. None is removed after a backup that lacks a file, beside one that cannot be
  /// read, or if ``verifies`` finds that a file of one is not what was backed up.
  public var keep: Keep
  /// Whether nothing is written, and the backup only reports what it would copy.
  public var isDryRun: Bool

  /// Whether all backups in the folder are then read and compared with their lists.
  public var verifies: Bool

  /// Whether the recordings' files in the backup are hard links to the library's own, instead of
  /// copies. One failing disk then takes both.
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
  /// A clock that is far ahead would make all bags old, and so would a year without a backup. So no more than a month
  /// counts between a bag and the next. Of the last week, all stay, and the last pause of over a week does not count there:
  /// the week before it stays until there is a new one.
  ///
  /// - Parameter moments: When the bags were made, oldest first. The last one is always kept.
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
  /// - Parameter counted: Takes how much time passed between two bags, and returns how much of it counts. It is asked about
  ///   the last two first.
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
  /// Work that an interrupted backup had left was removed.
  case cleaned
  /// An update of a backup that was interrupted was finished, or else undone. There are updates only
  /// where the disk has no hard links.
  case settled(isFinished: Bool)
  /// So many of the files that must be copied are copied.
  case copied(Int, of: Int)
  /// A file is not in the backup, or is there as the last backup had it; or an older backup cannot be removed. The path
  /// is escaped for display.
  case failed(path: String, LibraryError)
  /// An older backup cannot be read. Its name is escaped for display.
  case unreadable(name: String, LibraryError)
  /// An older backup was removed, by the rule on which ones are kept.
  case removed(BackupSummary)
  /// So many of the files of all backups are read.
  case verified(Int, of: Int)
  /// Something is wrong with a backup.
  case found(BackupFinding)
  /// The backup is whole. In a dry run, it would be.
  case finished(BackupSummary, copied: Int, bytes: Int64)
}

/// What is known about a backup without reading its files.
public struct BackupSummary: Codable, Hashable, Sendable {
  /// The name of its folder; empty in a dry run.
  public var name: String
  /// The path of its folder.
  public var path: String
  /// When the catalog was copied: the backup has what the library had then.
  public var moment: Date
  /// The library that was backed up.
  public var library: UUID
  /// How many recordings it has.
  public var recordings: Int
  /// How many files it has.
  public var files: Int
  /// How many bytes they have.
  public var bytes: Int64
  /// How many files it lacks, because the library lacked them or had others in their place.
  public var missing: Int
}
