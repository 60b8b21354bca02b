internal import CLinux
internal import Glibc
internal import HoldfastModel

/// Tries the doors that were shut: what is said of them is what the kernel answers.
enum DoorCheck {
  /// Tries every door.
  ///
  /// - Parameter landlock: The version of Landlock that is in force.
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

  /// A program that is not there is refused with other words than any program.
  private static var canStartPrograms: Bool {
    let arguments: [UnsafeMutablePointer<CChar>?] = [nil]
    execv("", arguments)
    return errno == ENOENT
  }

  /// Signal 0 is sent to nobody; the kernel only says whether it could be, which for oneself it
  /// always could. The owner of a descriptor is sent signals as well.
  private static var canReachProcesses: Bool {
    kill(getpid(), 0) == 0 || fcntl(STDIN_FILENO, F_SETOWN, getpid()) == 0
  }
}
