import Glibc

/// The process that made a folder in `.staging` or `.trash`, from the first line of its lock file.
///
/// The computer is in the folder's name as well: see ``WorkName``.
struct Owner: Hashable, Sendable {
  /// The computer's name in this library.
  var machine: String
  /// The ID of the system start that the process belongs to.
  var boot: String
  var process: pid_t
  /// When the process started, in the units of `/proc`. A process ID can be reused later.
  var started: UInt64
  /// When the folder was made, in seconds since 1970.
  var time: Int64
}

extension Owner {
  /// Makes this process as an owner.
  init(machine: String) {
    self.init(
      machine: machine, boot: Machine.boot, process: getpid(), started: Self.ownStart, time: .now)
  }

  private static let ownStart = start(ofLiving: getpid()) ?? 0

  var line: String {
    "machine=\(machine) boot=\(boot) process=\(process) started=\(started) time=\(time)"
  }

  init?(line: String) {
    var values: [Substring: String] = [:]
    for word in line.split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      values[parts[0]] = String(parts[1])
    }
    guard let machine = values["machine"], let boot = values["boot"],
      let process = values["process"].flatMap({ pid_t($0) }),
      let started = values["started"].flatMap({ UInt64($0) }),
      let time = values["time"].flatMap({ Int64($0) })
    else { return nil }
    self.init(machine: machine, boot: boot, process: process, started: started, time: time)
  }

  /// Whether the owner is another process on this computer, and is alive.
  ///
  /// A process that is invisible from here, for example in another container, is not counted. It
  /// shares the kernel's locks with this process, and its lock shows that it is alive.
  var livesElsewhere: Bool {
    boot == Machine.boot && process != getpid() && Self.start(ofLiving: process) == started
  }

  /// Returns `nil` if the process is dead or invisible. See proc(5) for the fields.
  private static func start(ofLiving process: pid_t) -> UInt64? {
    // The second field is the program's name in parentheses. It may contain anything.
    let fields = Machine.text("/proc/\(process)/stat").split(separator: ")").last?
      .split(separator: " ")
    guard let fields, fields.count > 19, !["Z", "X"].contains(fields[0]) else { return nil }
    return UInt64(fields[19])
  }
}
