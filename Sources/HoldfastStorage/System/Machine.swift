import Foundation
import Glibc
import HoldfastModel
import HoldfastSupport

/// This computer, as the other computers that use the same library know it.
enum Machine {
  static let tagLength = 16

  /// Returns the computer's name in one library.
  ///
  /// The name is a keyed hash of `/etc/machine-id`, because machine-id(5) asks not to reveal that
  /// ID. The name also hides that two libraries belong to the same computer.
  static func tag(in library: UUID) -> String {
    let code = SHA256.authenticationCode(
      of: Array("holdfast \(library.uuidString)".utf8), key: Array(id.utf8))
    return String(code.hexadecimal.prefix(tagLength))
  }

  /// Returns the place of a library: a folder on this computer, as a keyed hash like ``tag(in:)``.
  /// A copy of the library has another hash.
  static func place(of library: UUID, _ filesystem: UInt64, _ inode: UInt64) -> SHA256Digest {
    SHA256.authenticationCode(
      of: Array("holdfast \(library.uuidString) \(filesystem) \(inode)".utf8), key: Array(id.utf8))
  }

  /// The ID of this system start. A process of another start is dead.
  static let boot = text("/proc/sys/kernel/random/boot_id")

  /// The computer's own ID, or the ID of this system start if there is none.
  ///
  /// After the next start, earlier work then counts as another computer's. That can cost a day's
  /// wait. A host name could cost a recording, because two computers may have the same one.
  private static let id: String = {
    for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
      let id = text(path)
      if id.utf8.count == 32, id.allSatisfy(\.isHexDigit), id.contains(where: { $0 != "0" }) {
        return id
      }
    }
    // A process that can read neither recognises no earlier work, not even its own.
    return boot.isEmpty ? UUID().uuidString : boot
  }()

  /// Returns the first line of a system file, or an empty string if it cannot be read.
  static func text(_ path: String) -> String {
    guard
      let file = try? SystemCalls.open(
        DirectoryRelativePath(path), O_RDONLY | O_NONBLOCK | O_NOCTTY),
      let text = try? file.text()
    else { return "" }
    return String(text.prefix { $0 != "\n" })
  }
}
