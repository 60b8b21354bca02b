import Foundation
import Holdfast

/// The state of the backups for Settings.
struct BackupState: Sendable {
  /// The folder; empty if it was never named.
  let folder: String
  /// The name of the folder, or of its disk.
  let name: String
  let sentence: String
  /// The other disks that are connected.
  let disks: [ConnectedDisk]

  /// Finds the last backup, on a disk that may be missing.
  init(of library: Library) throws {
    let all = ConnectedDisk.all(besides: library.path)
    guard let folder = try library.backupFolder() else {
      (self.folder, name) = ("", "")
      disks = all
      sentence =
        all.isEmpty
        ? "No backup yet. Connect another disk, such as a USB stick, and open this page again."
        : "No backup yet. A copy on another disk keeps everything safe."
      return
    }
    self.folder = folder
    name = Self.name(of: folder, besides: library.path)
    disks = all.filter { $0.folder != folder }
    let uuid = try library.uuid()
    do {
      let backups = try Backups(in: folder).summaries().filter { $0.library == uuid }
      sentence =
        backups.max { $0.moment < $1.moment }.map { last in
          "Last backup: \(last.moment.wordsInSentence(in: .current)), "
            + "\(last.recordings.counted("recording")), \(last.bytes.megabytes)."
            + (last.missing > 0 ? " It lacks \(last.missing.counted("file"))." : "")
            + (Self.isOneDisk(folder, library.path) ? " \(Self.warning)" : "")
        } ?? "\(folder) has no backup of this library."
    } catch {
      sentence =
        "The last backup cannot be seen: \(WebProblem(error).detail). Is its disk connected?"
    }
  }

  static let warning =
    "It is on the same disk as the library. Back up to another disk too, in case this one fails."

  /// The name of a folder for backups as people know it: that of its disk, or its own.
  static func name(of folder: String, besides library: String) -> String {
    ConnectedDisk.all(besides: library).first { $0.folder == folder }?.name
      ?? URL(filePath: folder).lastPathComponent
  }

  static func isOneDisk(_ first: String, _ second: String) -> Bool {
    let disks = [first, second].map {
      try? FileManager.default.attributesOfItem(atPath: $0)[.systemNumber] as? Int
    }
    return disks[0] != nil && disks[0] == disks[1]
  }
}
