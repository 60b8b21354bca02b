import Foundation
import Glibc
import HoldfastModel
import HoldfastStorage

/// A phone or a camera that the desktop, or `ifuse`, has mounted.
public struct ConnectedPhone: Hashable, Sendable {
  /// Its name, escaped for display.
  public var name: String
  /// Its `DCIM` folders, one for each of its storages.
  public var folders: [String]

  /// Finds the phones and cameras that are mounted and have a `DCIM` folder.
  ///
  /// - Parameter environment: The environment of the user's session, for `XDG_RUNTIME_DIR`.
  public static func all(environment: [String: String]) -> [ConnectedPhone] {
    let session = environment["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())"
    return (mountsOfDesktop(in: session + "/gvfs") + mountsOfIfuse()).compactMap { mount in
      let folders = dcim(in: mount.path)
      return folders.isEmpty
        ? nil : ConnectedPhone(name: mount.name.escapedForDisplay, folders: folders)
    }
  }

  /// Returns the mounts of gvfs, which are named after protocol and device:
  /// `mtp:host=Google_Pixel_8`.
  private static func mountsOfDesktop(in folder: String) -> [(name: String, path: String)] {
    entries(of: folder).filter { name in
      ["mtp:", "gphoto2:", "afc:"].contains(where: name.hasPrefix)
    }.map { name in
      let device = name.split(separator: "=", maxSplits: 1).last.map(String.init) ?? name
      let words = (device.removingPercentEncoding ?? device).replacing("_", with: " ")
      return (words, "\(folder)/\(name)")
    }
  }

  private static func mountsOfIfuse() -> [(name: String, path: String)] {
    Mount.folders(ofType: "fuse.ifuse").map { path in
      (URL(filePath: path).lastPathComponent, path)
    }
  }

  /// Returns the `DCIM` folders of a phone: its own, or those in its storages.
  private static func dcim(in mount: String) -> [String] {
    ([mount] + entries(of: mount).map { "\(mount)/\($0)" }).map { $0 + "/DCIM" }
      .filter { SourcePath($0).isFolder }
  }

  private static func entries(of folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
}
