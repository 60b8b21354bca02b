import CLinux
import Glibc
import HoldfastSupport
import HoldfastWire
import Synchronization

/// A program that was started, and that ends when the other end of its standard input is closed.
final class ChildProcess: Sendable {
  /// The longest that the program may take to end, in seconds.
  private let endTimeout: Double
  private let number: pid_t
  private let process: ProcessDescriptor
  private let known = Mutex<WorkerEnd?>(nil)

  /// Starts a program without arguments and with only these variables, and discards its output. The
  /// calling thread waits until the program runs. The program gets its own copy of `standardInput`.
  ///
  /// - Parameter endTimeout: The longest that it may take to end, in seconds, before it is killed.
  init(
    _ path: String, environment: [String: String], standardInput: OwnDescriptor,
    endTimeout: Double = 2
  ) throws(WireError) {
    // SAFETY: the strings live until the program has its own copies.
    var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") }
    unsafe variables.append(nil)
    defer { unsafe variables.forEach { unsafe free($0) } }
    var number: pid_t = 0
    let code = unsafe holdfast_spawn(path, variables, standardInput.number, &number)
    guard code == 0 else { throw .system(code) }
    guard let process = ProcessDescriptor(child: number) else {
      let code = errno
      // It ends by itself, because its standard input is closed. A signal to its number could reach
      // another process: the program may have ended, and may have been forgotten.
      _ = startThread(named: "holdfast-end") { [number] in waitpid(number, nil, 0) }
      throw .system(code)
    }
    self.endTimeout = endTimeout
    self.number = number
    self.process = process
  }

  deinit {
    guard known.withLock({ $0 == nil }) else { return }
    // Without a thread, the system remembers the ended program for as long as this one runs.
    _ = startThread(named: "holdfast-end") { [number, process, endTimeout] in
      _ = Self.end(number, process, within: endTimeout)
    }
  }

  /// Waits for the program to end, and kills it if that takes too long. A program that was stopped
  /// never sees that its standard input is closed.
  func end() -> WorkerEnd {
    known.withLock { known in
      let end = known ?? Self.end(number, process, within: endTimeout)
      known = end
      return end
    }
  }

  /// Kills the program. A signal through its own descriptor cannot reach another process.
  func kill() { process.kill() }

  private static func end(
    _ number: pid_t, _ process: ProcessDescriptor, within seconds: Double
  ) -> WorkerEnd {
    let hasEnded = process.waitForEnd(within: seconds)
    if !hasEnded {
      process.kill()
      // Only a process in the middle of a disk access survives this, until the disk answers.
      while !process.waitForEnd(within: 1) {}
    }
    var status: CInt = 0
    // It fails if this process ignores SIGCHLD: the system then forgets processes that have ended.
    guard unsafe waitpid(number, &status, 0) == number else { return .unknown }
    guard hasEnded else { return .killed }
    let signal = holdfast_end_signal(status)
    return signal < 0 ? .exited(holdfast_exit_status(status)) : .signaled(signal)
  }
}
