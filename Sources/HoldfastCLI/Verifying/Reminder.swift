import Foundation
import Holdfast
import HoldfastConsole
import Subprocess

struct Reminder: Encodable {
  enum Kind: String, Encodable {
    /// Recordings or photos are known to be missing or damaged.
    case faulty
    /// Something was deleted or replaced, and the catalog was not compacted since.
    case compaction
    case backup
    /// A systemd unit of Holdfast failed.
    case unit
  }

  var kind: Kind
  /// One sentence with the command in it, without a full stop.
  var sentence: String

  /// Whether something is wrong, and not only due.
  var isFault: Bool { [.faulty, .unit].contains(kind) }
}

extension Reminder {
  private static let backupDays = 7

  static func reminders(of library: Library) throws -> [Reminder] {
    let faulty = try faulty(library)
    let backup = try backup(of: library)
    return try [faulty, compaction(of: library), backup].compactMap(\.self)
  }

  private static func faulty(_ library: Library) throws -> Reminder? {
    guard let faults = try library.knownFaults() else { return nil }
    let from = try library.backupFolder()?.shellWord ?? "BACKUP"
    return Reminder(
      kind: .faulty,
      sentence: "\(faults); holdfast verify --repair --from \(from) brings back what is there")
  }

  private static func compaction(of library: Library) throws -> Reminder? {
    try library.compactionDue().map { size in
      Reminder(
        kind: .compaction,
        sentence: "something was deleted or replaced, and traces of it may be in the catalog "
          + "(\(size.megabytes)) until holdfast doctor --compact compacts it")
    }
  }

  /// Reminds of an old backup, if the folder of the backups is known and its disk is there.
  private static func backup(of library: Library) throws -> Reminder? {
    guard let folder = try library.backupFolder(),
      let backups = try? Backups(in: folder).summaries()
    else { return nil }
    let uuid = try library.uuid()
    guard let last = backups.filter({ $0.library == uuid }).map(\.moment).max() else { return nil }
    let days = Int(Date().timeIntervalSince(last) / 86_400)
    guard days >= backupDays else { return nil }
    return Reminder(
      kind: .backup,
      sentence: "the last backup in \(folder.escapedForDisplay) is \(days) days old; "
        + "holdfast backup \(folder.shellWord) makes another"
    )
  }
}

extension Reminder {
  /// Returns the systemd user units of Holdfast that failed; none where the user has no systemd.
  static func failedUnits(_ environment: [String: String]) async -> [Reminder] {
    // This folder is there while the user's systemd runs: see sd_booted(3) for the system's.
    guard let folder = environment["XDG_RUNTIME_DIR"],
      FileManager.default.fileExists(atPath: "\(folder)/systemd"),
      let ended = try? await Subprocess.run(
        .name("systemctl"),
        arguments: [
          "--user", "list-units", "--state=failed", "--plain", "--no-legend", "--no-pager",
          "holdfast-*",
        ], output: .string(limit: 64 << 10), error: .discarded),
      ended.terminationStatus.isSuccess
    else { return [] }
    return ended.standardOutput.split(separator: "\n").compactMap { line in
      guard let unit = line.split(separator: " ").first.map(String.init) else { return nil }
      let name = unit.escapedForDisplay
      return Reminder(
        kind: .unit,
        sentence: "\(name) failed; journalctl --user --unit \(name) says why, and systemctl --user "
          + "start \(name) tries again")
    }
  }
}
