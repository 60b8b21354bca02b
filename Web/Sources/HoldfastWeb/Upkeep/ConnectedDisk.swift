import Foundation

/// A disk that a person has connected, such as a USB stick.
struct ConnectedDisk: Sendable {
  let name: String
  /// The folder for backups on it.
  let folder: String

  /// The folders in which desktops and most users mount disks.
  private static let mountFolders = ["/media/", "/run/media/", "/mnt/"]

  /// Finds the mounted disks that can be written and do not have the library.
  static func all(besides library: String) -> [ConnectedDisk] {
    let text = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      // proc(5) describes the fields.
      let fields = line.split(separator: " ")
      guard fields.count > 5 else { return nil }
      let place = MountPoints.unescaped(fields[4])
      guard mountFolders.contains(where: place.hasPrefix) || isRemovable(fields[2]),
        !library.hasPrefix("\(place)/"), FileManager.default.isWritableFile(atPath: place)
      else { return nil }
      return ConnectedDisk(
        name: URL(filePath: place).lastPathComponent, folder: "\(place)/holdfast")
    }
  }

  /// Whether the kernel says that a device, or the disk of a partition, can be taken out.
  private static func isRemovable(_ device: Substring) -> Bool {
    let folder = URL(filePath: "/sys/dev/block/\(device)").resolvingSymlinksInPath()
    return [folder, folder.deletingLastPathComponent()].contains {
      (try? String(contentsOf: $0.appending(path: "removable"), encoding: .utf8)) == "1\n"
    }
  }
}
