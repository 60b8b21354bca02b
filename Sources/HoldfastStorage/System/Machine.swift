internal import Crypto
internal import Foundation
internal import Glibc

/// This computer, as the others that use the same library know it.
enum Machine {
  /// The number of hexadecimal digits in a tag.
  static let tagLength = 16

  /// The computer's name in one library.
  ///
  /// It is a keyed hash of `/etc/machine-id`, as machine-id(5) asks of whatever leaves the machine:
  /// nobody learns that ID from it, and two libraries cannot be told to be of one computer.
  static func tag(in library: UUID) -> String {
    let code = HMAC<SHA256>.authenticationCode(
      for: Data("holdfast \(library.uuidString)".utf8), using: SymmetricKey(data: Data(id.utf8)))
    let digits = code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return digits.prefix(tagLength / 2).joined()
  }

  /// The ID of this start of the system: a process of another one is dead.
  static let boot = text("/proc/sys/kernel/random/boot_id")

  /// Where a system has no ID of its own, its present start stands for it. After the next start, work
  /// from before it is taken for another computer's: that can cost a day's wait. A host's name could
  /// cost a recording, for two computers may have the same one.
  private static let id: String = {
    for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
      let id = text(path)
      if id.utf8.count == 32, id.allSatisfy(\.isHexDigit), id.contains(where: { $0 != "0" }) {
        return id
      }
    }
    // A process that can read neither knows nobody, not even itself before.
    return boot.isEmpty ? UUID().uuidString : boot
  }()

  /// What the system says in a file, without the line's end; nothing if it cannot be read.
  static func text(_ path: String) -> String {
    guard let file = try? SystemCalls.open(Place(path), O_RDONLY | O_NONBLOCK | O_NOCTTY),
      let text = try? file.text()
    else { return "" }
    return String(text.prefix { $0 != "\n" })
  }
}
