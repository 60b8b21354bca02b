import CLinux
import Foundation
import Glibc
import HoldfastWire

/// What is between a program that is not ours and everything else.
struct Barriers {
  /// The largest file that the program may write, in bytes.
  private static let fileSize: UInt64 = 64 << 20
  /// The most processes and threads, where a namespace counts only the program's own.
  private static let processes: UInt64 = 1024
  /// Address space is reserved far beyond what is used.
  private static let addressSpacePerMemory: UInt64 = 4
  private static let devices = [
    "/dev/null", "/dev/zero", "/dev/full", "/dev/urandom", "/dev/random",
  ]
  private static let gpuDevices = ["/dev/dri", "/dev/kfd", "/sys", "/proc/driver"]

  private let program: ConfinedProgram

  init(_ program: ConfinedProgram) { self.program = program }

  /// Puts this process behind the barriers, and becomes the program. If that fails, the reason is
  /// written to `failure`.
  func start(output: CInt, failure: CInt) -> Never {
    do throws(LockdownError) {
      _ = setsid()
      let namespaces = leave()
      try LockdownError.check(holdfast_die_with_parent(), "end with its parent")
      if namespaces.processes { try FirstProcess.start(closing: [output, failure]) }
      try shut(namespaces)
      if program.arguments.isEmpty { _exit(0) }
      try become(output: output, failure: failure)
    } catch {
      let reason = Array(error.description.utf8)
      _ = write(failure, reason, reason.count)
    }
    _exit(WorkerExit.unfit.rawValue)
  }

  /// What the program has to itself.
  private struct Namespaces {
    var processes = false
    var users = false
  }

  private func shut(_ namespaces: Namespaces) throws(LockdownError) {
    guard let landlock = Landlock.version else {
      throw LockdownError("this kernel has no Landlock, which keeps files from the program")
    }
    try limit(namespaces.users)
    if program.isIdle { holdfast_run_when_idle() }
    try LockdownError.check(chdir(program.folder), "change to the program's folder")
    try LockdownError.check(holdfast_no_new_privileges(), "give up new privileges")
    try LockdownError.check(holdfast_drop_capabilities(), "give up capabilities")
    // A change of credentials would clear it.
    try LockdownError.check(holdfast_die_with_parent(), "end with its parent")
    try Landlock.restrict(in: landlock) { rules throws(LockdownError) in
      try allow(by: rules, all: Landlock.fileRights(in: landlock))
    }
    // Elsewhere, a signal can reach none but the program's own processes.
    let mayReachOthers = !namespaces.processes && landlock < Landlock.versionWithSignals
    try NetworkFilter(
      signalling: mayReachOthers ? getpid() : nil, usesGPU: program.usesGPU
    ).load()
  }

  /// Leaves the network and the other processes, if the system allows it. The filter refuses
  /// sockets in any case.
  private func leave() -> Namespaces {
    let (user, group) = (geteuid(), getegid())
    for processes in [CInt(1), 0] where user == 0 {
      if holdfast_leave_network(processes, 0) == 0 { return Namespaces(processes: processes == 1) }
    }
    guard let processes = [CInt(1), 0].first(where: { holdfast_leave_network($0, 1) == 0 }) else {
      return Namespaces()
    }
    // Without these, the program would see an unknown user.
    for (file, text) in [
      ("setgroups", "deny"), ("uid_map", "\(user) \(user) 1"), ("gid_map", "\(group) \(group) 1"),
    ] {
      let descriptor = open("/proc/self/\(file)", O_WRONLY | O_CLOEXEC)
      _ = write(descriptor, text, text.utf8.count)
      close(descriptor)
    }
    return Namespaces(processes: processes == 1, users: true)
  }

  private func limit(_ hasOwnUsers: Bool) throws(LockdownError) {
    var limits = [(holdfast_limit_core, UInt64(0)), (holdfast_limit_file_size, Self.fileSize)]
    if let memory = program.memory {
      let space = memory.multipliedReportingOverflow(by: Self.addressSpacePerMemory)
      limits.append((holdfast_limit_data, memory))
      limits.append((holdfast_limit_address_space, space.overflow ? memory : space.partialValue))
    }
    if hasOwnUsers { limits.append((holdfast_limit_processes, Self.processes)) }
    for (resource, limit) in limits {
      let limit = min(limit, holdfast_hard_limit(resource))
      try LockdownError.check(holdfast_set_limit(resource, limit, limit), "limit the program")
    }
  }

  // MARK: Files

  private enum Right {
    static let execute: UInt64 = 1 << 0
    static let write: UInt64 = 1 << 1
    static let readFile: UInt64 = 1 << 2
    static let readFolder: UInt64 = 1 << 3
    static let makeDevices: UInt64 = 1 << 6 | 1 << 11
    static let useDevice: UInt64 = 1 << 15
    static let read = execute | readFile | readFolder
    /// The rights that a file can have.
    static let ofFiles = execute | write | readFile | 1 << 14 | useDevice
  }

  private func allow(by rules: CInt, all: UInt64) throws(LockdownError) {
    for path in program.readable { try allow(path, Right.read, by: rules) }
    try allow(
      program.folder, all & ~(Right.makeDevices | Right.execute | Right.useDevice), by: rules)
    var devices = Self.devices
    if program.usesGPU {
      let all = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
      devices += Self.gpuDevices + all.filter { $0.hasPrefix("nvidia") }.map { "/dev/\($0)" }
    }
    let use = (Right.readFile | Right.readFolder | Right.write | Right.useDevice) & all
    for path in devices { try allow(path, use, by: rules) }
    // What libraries read to learn how many processors and how much memory there are. This
    // process keeps its number when it becomes the program.
    for path in [
      "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm",
      "/sys/devices/system/cpu", "/sys/devices/system/node",
    ] {
      try allow(path, Right.readFile | Right.readFolder, by: rules)
    }
  }

  private func allow(_ path: String, _ rights: UInt64, by rules: CInt) throws(LockdownError) {
    let place = open(path, holdfast_o_path | O_CLOEXEC)
    guard place >= 0 else { return }
    defer { close(place) }
    var status = stat()
    guard fstat(place, &status) == 0 else { return }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    try LockdownError.check(
      holdfast_landlock_allow(rules, place, isFolder ? rights : rights & Right.ofFiles),
      "allow \(path)")
  }

  // MARK: The program

  private func become(output: CInt, failure: CInt) throws(LockdownError) {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { signal(number, SIG_DFL) }
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    dup2(null, STDIN_FILENO)
    dup2(null, STDOUT_FILENO)
    dup2(output, STDERR_FILENO)
    // Closed on exec, which tells the other process that the program runs.
    let answer = fcntl(failure, F_DUPFD_CLOEXEC, 100)
    for number in 3..<CInt(100) { close(number) }
    holdfast_close_from(answer + 1)
    var arguments = program.arguments.map { strdup($0) }
    var environment = program.environment.map { strdup($0) }
    arguments.append(nil)
    environment.append(nil)
    execve(program.arguments[0], arguments, environment)
    let reason = Array("could not start it: \(String(cString: strerror(errno)))".utf8)
    _ = write(answer, reason, reason.count)
    _exit(WorkerExit.unfit.rawValue)
  }
}
