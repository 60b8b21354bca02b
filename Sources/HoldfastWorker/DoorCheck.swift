import CLinux
import Glibc
import HoldfastModel

/// Tries each shut door, so that the report says what the kernel really answers.
enum DoorCheck {
  /// `landlock` is the version of Landlock that is in force; `nil` for none.
  static func all(landlock: Int?) -> [Door] {
    let filter = "a filter on system calls"
    func means(_ least: Int) -> [String] {
      landlock.map { $0 >= least } == true ? ["Landlock", filter] : [filter]
    }
    return [
      Door(kind: .files, isShut: !canOpenFiles, means: means(1)),
      Door(kind: .network, isShut: !canMakeSockets, means: means(4)),
      Door(kind: .programs, isShut: !canStartPrograms, means: [filter]),
      Door(kind: .processes, isShut: !canReachProcesses, means: means(6)),
      Door(
        kind: .privileges, isShut: holdfast_has_no_new_privileges() == 1,
        means: ["no new privileges"]),
      Door(kind: .dumps, isShut: holdfast_is_dumpable() == 0, means: ["not dumpable"]),
    ]
  }

  private static var canOpenFiles: Bool {
    for (path, flags) in [("/", O_RDONLY | O_DIRECTORY), ("/dev/null", O_RDWR)] {
      let descriptor = open(path, flags | O_CLOEXEC)
      guard descriptor < 0 else {
        close(descriptor)
        return true
      }
    }
    return false
  }

  private static var canMakeSockets: Bool {
    for family in [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] {
      let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue), 0)
      guard descriptor < 0 else {
        close(descriptor)
        return true
      }
    }
    return false
  }

  /// Whether the kernel looks for a program at all. An allowed call with an empty path fails
  /// because the file does not exist. A call that the filter refuses fails with another error.
  private static var canStartPrograms: Bool {
    let arguments: [UnsafeMutablePointer<CChar>?] = [nil]
    execv("", arguments)
    return errno == ENOENT
  }

  /// Whether signals can be sent.
  ///
  /// Signal 0 is never delivered. The kernel only answers whether it could be, which is always so
  /// for one's own process. `F_SETOWN` is tried as well, because signals are also sent to a
  /// descriptor's owner.
  private static var canReachProcesses: Bool {
    kill(getpid(), 0) == 0 || fcntl(STDIN_FILENO, F_SETOWN, getpid()) == 0
  }
}
