import Foundation

/// How a program ended, and its times.
struct ChildEnd {
  /// Its exit status; 128 and the signal if a signal ended it.
  var status: CInt
  /// The time from its start to its end.
  var seconds: Double
  /// The processor time of it and the processes that it waited for.
  var processorSeconds: Double
}

/// Starts programs and waits for them with the system's own calls.
///
/// Foundation's `Process` waits in a run loop. Some rows take 10 ms, and would show that.
enum Child {
  /// Runs a program.
  ///
  /// - Parameters:
  ///   - command: The program, found in `PATH` unless its name holds a slash, and its arguments.
  ///   - output: The file for its output.
  ///   - errors: The file for its error output, or `nil` for this program's own.
  ///   - environment: Variables added to this program's own.
  static func run(
    _ command: [String], output: String, errors: String?, environment: [String: String] = [:]
  ) throws -> ChildEnd {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    let writing = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output, writing, 0o666)
    if let errors {
      posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors, writing, 0o666)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The workbench blocks signals, and programs would inherit that.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let arguments = command.map { strdup($0) } + [nil]
    let pairs = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + pairs { free(text) } }

    var process = pid_t()
    let begin = ContinuousClock.now
    let error = posix_spawnp(&process, command[0], &files, &attributes, arguments, pairs)
    guard error == 0 else {
      throw BenchError(description: "\(command[0]): \(String(cString: strerror(error)))")
    }
    return try wait(for: process, since: begin)
  }

  private static func wait(
    for process: pid_t, since begin: ContinuousClock.Instant
  ) throws -> ChildEnd {
    var status: CInt = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0 {
      guard errno == EINTR else {
        throw BenchError(description: "wait4: \(String(cString: strerror(errno)))")
      }
    }
    let signal = status & 0x7f
    return ChildEnd(
      status: signal == 0 ? (status >> 8) & 0xff : 128 + signal,
      seconds: (ContinuousClock.now - begin) / .seconds(1),
      processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime))
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
  }
}
