import Foundation
import Holdfast

/// The place of a library when none is named. The pages may offer to make one there.
///
/// Elsewhere only `holdfast init` makes a library: if a library is missing, its disk may be away.
package struct DefaultPlace: Sendable {
  let location: LibraryLocation
  /// The folder that must exist, so that nothing is made on a disk's empty mount point.
  private let base: String

  /// - Parameter option: The folder that the command line names.
  /// - Returns: `nil` if the command line or the environment names a folder.
  package init?(option: String?, environment: [String: String]) {
    guard option == nil, environment["HOLDFAST_LIBRARY"] ?? "" == "",
      let location = try? LibraryLocation.resolve(option: nil, environment: environment)
    else { return nil }
    self.location = location
    let folders = [environment["HOME"], environment["XDG_DATA_HOME"]].compactMap(\.self)
    guard let base = folders.first(where: { location.path.hasPrefix("\($0)/") }) else { return nil }
    self.base = base
  }

  /// Whether nothing is there, and nothing says that something belongs there: no link that leads
  /// nowhere, and no disk that is away.
  var isUntouched: Bool {
    guard Self.isFolder(base), !isOnMissingDisk else { return false }
    var path = location.path
    while path.count > base.count {
      do {
        _ = try FileManager.default.attributesOfItem(atPath: path)
        // A folder above the library. A link must lead to one.
        return path != location.path && Self.isFolder(path)
      } catch CocoaError.fileReadNoSuchFile {
      } catch {
        return false
      }
      path = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
      if path.count > 1, path.hasSuffix("/") { path.removeLast() }
    }
    return true
  }

  /// Whether the system knows a disk for this place that is not mounted.
  private var isOnMissingDisk: Bool {
    let mounted = Set(MountPoints.list("/proc/self/mounts"))
    return MountPoints.list("/etc/fstab").contains { place in
      place.count > 1 && !mounted.contains(place) && "\(location.path)/".hasPrefix("\(place)/")
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder = ObjCBool(false)
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}

/// The places where disks are mounted.
enum MountPoints {
  /// Returns the second field of each line of a table of mounts.
  static func list(_ table: String) -> [String] {
    let text = (try? String(contentsOfFile: table, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line -> String? in
      let fields = line.split { $0 == " " || $0 == "\t" }
      guard fields.count > 1, !line.hasPrefix("#") else { return nil }
      return unescaped(fields[1])
    }
  }

  /// The tables write spaces and backslashes as octal numbers.
  static func unescaped(_ field: some StringProtocol) -> String {
    [("040", " "), ("011", "\t"), ("012", "\n"), ("134", "\\")].reduce(String(field)) {
      $0.replacing("\\\($1.0)", with: $1.1)
    }
  }
}
