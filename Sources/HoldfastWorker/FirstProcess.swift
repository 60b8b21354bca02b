import CLinux
import Glibc
import HoldfastWire

/// The first process in a namespace of processes.
///
/// It adopts what the program leaves behind. When it ends, the kernel kills every process in the
/// namespace: when the program has ended, and when the process outside that waits for it is killed.
enum FirstProcess {
  /// Returns in the program's process, in the namespace. This process ends as the program does.
  ///
  /// - Parameter descriptors: Those that only the program may have.
  static func start(closing descriptors: [CInt]) throws(LockdownError) {
    let answer = try Pipe()
    let first = holdfast_fork()
    guard first >= 0 else { throw LockdownError("start a process", errno: errno) }
    if first == 0 {
      _ = holdfast_die_with_parent()
      let program = holdfast_fork()
      if program == 0 { return answer.closeInput() }
      for descriptor in descriptors { close(descriptor) }
      wait(for: program, answering: answer.input)
    }
    for descriptor in descriptors { close(descriptor) }
    answer.closeInput()
    // It may end by the program's signal.
    _ = holdfast_set_limit(holdfast_limit_core, 0, 0)
    end(as: answer.status(), after: first)
  }

  /// Waits for all processes until the program has ended, and sends its status.
  private static func wait(for program: pid_t, answering answer: CInt) -> Never {
    var status: CInt = 0
    while program > 0 {
      let ended = waitpid(-1, &status, 0)
      if ended < 0, errno != EINTR { break }
      guard ended == program else { continue }
      _ = write(answer, &status, MemoryLayout<CInt>.size)
      break
    }
    _exit(0)
  }

  private static func end(as status: CInt?, after first: pid_t) -> Never {
    var ignored: CInt = 0
    // All processes of the namespace have ended then.
    while waitpid(first, &ignored, 0) < 0, errno == EINTR {}
    guard let status else { endBy(SIGKILL) }
    let exit = holdfast_exit_status(status)
    if exit >= 0 { _exit(exit) }
    endBy(holdfast_end_signal(status))
  }

  private static func endBy(_ number: CInt) -> Never {
    signal(number, SIG_DFL)
    kill(getpid(), number)
    _exit(WorkerExit.unfit.rawValue)
  }
}

extension Pipe {
  /// Returns the status of a process; `nil` if none was sent.
  fileprivate func status() -> CInt? {
    var status: CInt = 0
    while true {
      let size = read(output, &status, MemoryLayout<CInt>.size)
      if size < 0, errno == EINTR { continue }
      return size == MemoryLayout<CInt>.size ? status : nil
    }
  }
}
