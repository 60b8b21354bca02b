internal import Glibc

/// The process that made a folder in `.staging` or `.trash`: the first line of the folder's lock file.
///
/// Which computer it runs on is in the folder's name as well: see ``WorkName``.
struct Owner: Hashable, Sendable {
  /// The computer's name in this library.
  var machine: String
  /// The start of the system that the process belongs to.
  var boot: String
  var process: pid_t
  /// When the process began, as `/proc` counts: a number is given to another process in time.
  var started: UInt64
  /// When the folder was made, in seconds since 1970.
  var time: Int64

  /// This process, now.
  init(machine: String) {
    self.machine = machine
    boot = Machine.boot
    process = getpid()
    started = Self.ownStart
    time = .now
  }

  private static let ownStart = start(ofLiving: getpid()) ?? 0

  /// The line that says so.
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
    self.machine = machine
    self.boot = boot
    self.process = process
    self.started = started
    self.time = time
  }

  /// Whether the process is another one of this computer, and lives. A process that cannot be seen
  /// from here, in another container say, shares the kernel's locks with this one, and they tell.
  var livesElsewhere: Bool {
    boot == Machine.boot && process != getpid() && Self.start(ofLiving: process) == started
  }

  /// When a process began; `nil` if it is dead or cannot be seen. The fields are those of proc(5).
  private static func start(ofLiving process: pid_t) -> UInt64? {
    // The program's name, which may hold anything, is the second field, in parentheses.
    let fields = Machine.text("/proc/\(process)/stat").split(separator: ")").last?
      .split(separator: " ")
    guard let fields, fields.count > 19, !["Z", "X"].contains(fields[0]) else { return nil }
    return UInt64(fields[19])
  }
}
