import Foundation
import Holdfast

/// The state of the backups for Settings.
struct BackupState: Sendable {
  /// The folder; empty if it was never named.
  let folder: String
  let sentence: String
  /// Folders on disks that are connected.
  let places: [String]

  /// Finds the last backup, on a disk that may be missing.
  init(of library: Library) throws {
    places = Self.connectedDisks().map { "\($0)/holdfast" }
    guard let folder = try library.backupFolder() else {
      self.folder = ""
      sentence = "No backup yet. Name a folder on another disk, such as a USB stick."
      return
    }
    self.folder = folder
    let uuid = try library.uuid()
    do {
      let backups = try Backups(in: folder).summaries().filter { $0.library == uuid }
      sentence =
        backups.max { $0.moment < $1.moment }.map { last in
          "Last backup: \(last.moment.words(in: .current)), "
            + "\(last.recordings.counted("recording")), \(last.bytes.megabytes)."
            + (last.missing > 0 ? " It lacks \(last.missing.counted("file"))." : "")
            + (Self.isOneDisk(folder, library.path)
              ? " It is on the same disk as the library: if that fails, both are lost." : "")
        } ?? "\(folder) has no backup of this library."
    } catch {
      sentence =
        "The last backup cannot be seen: \(WebProblem(error).detail). Is its disk connected?"
    }
  }

  /// The folders in which desktops and most users mount disks.
  private static let mountFolders = ["/media/", "/run/media/", "/mnt/"]

  private static func connectedDisks() -> [String] {
    let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
    return mounts.split(separator: "\n").compactMap { line -> String? in
      let fields = line.split(separator: " ")
      // The kernel writes a space this way.
      guard let path = fields.dropFirst().first.map({ String($0).replacing("\\040", with: " ") }),
        mountFolders.contains(where: path.hasPrefix)
      else { return nil }
      return path
    }
  }

  private static func isOneDisk(_ first: String, _ second: String) -> Bool {
    let disks = [first, second].map {
      try? FileManager.default.attributesOfItem(atPath: $0)[.systemNumber] as? Int
    }
    return disks[0] != nil && disks[0] == disks[1]
  }
}
