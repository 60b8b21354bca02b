import Glibc
import HoldfastModel
import HoldfastSupport

/// Tells other processes of this user that a folder is watched, so that it is not watched twice.
///
/// The claim is a lock of a small file in the folder of the user's session, which is empty after a
/// restart of the computer. Nothing is written in the watched folder.
struct WatchClaim: Sendable {
  private let file: OpenFile

  /// Claims a folder.
  ///
  /// - Throws: `HoldfastError` with the code `watched` when another process watches it.
  init(_ folder: SourcePath) throws(HoldfastError) {
    let name = "watch-\(SHA256.hash(folder.bytes).hexadecimal.prefix(32))"
    file = try Self.folder().making("holdfast").existingOrNew(name)
    guard try SystemCalls.tryLock(file) else {
      throw HoldfastError(.watched, operation: "watch", path: "\(folder)")
    }
  }

  /// The folder of the user's session.
  private static func folder() throws(HoldfastError) -> Directory {
    let user = geteuid()
    let session = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) }
    for path in [session, "/run/user/\(user)"].compactMap(\.self) where path.hasPrefix("/") {
      if let folder = try? SystemCalls.open(DirectoryRelativePath(path), O_RDONLY | O_DIRECTORY) {
        return Directory(file: folder)
      }
    }
    // Any user may write to this one, so the folder in it must be the user's own.
    let path = "/tmp/holdfast-\(user)"
    let temporary = Directory(
      file: try SystemCalls.open(DirectoryRelativePath("/tmp"), O_RDONLY | O_DIRECTORY))
    let folder = try temporary.making("holdfast-\(user)")
    guard try folder.file.identity().owner == user else {
      throw HoldfastError(.system, operation: "use", path: path, errno: EPERM)
    }
    return folder
  }
}
