import CLinux
import Foundation
import Glibc
import HoldfastModel
import HoldfastSupport
import HoldfastWire

/// Runs a program that is not ours, such as a transcriber, behind barriers.
///
/// This process stays outside of the barriers. It adopts every process that the program leaves
/// behind, and kills all of them when the program has ended, when its time is over, and when the
/// process that asked closes the socket on standard input.
package enum Confinement {
  /// Whether this process was started to confine a program.
  package static var isAsked: Bool { getenv(ConfinedProgram.variable) != nil }

  /// Receives a ``ConfinedProgram`` over standard input, runs it, and answers how it ended.
  package static func run() -> Never {
    holdfast_close_from(3)
    let channel = FrameChannel(OwnDescriptor(owning: STDIN_FILENO))
    do {
      guard let frame = try channel.receive() else { _exit(WorkerExit.done.rawValue) }
      let program = try WireCoding.decode(ConfinedProgram.self, from: frame.content)
      let reply: ConfinedReply
      do throws(LockdownError) { reply = try run(program) } catch {
        reply = .refused(error.description)
      }
      try channel.send(WireCoding.encode(reply))
      _exit(WorkerExit.done.rawValue)
    } catch {
      _exit(WorkerExit.misunderstood.rawValue)
    }
  }

  private static func run(_ program: ConfinedProgram) throws(LockdownError) -> ConfinedReply {
    // A terminal sends its signals to this process too. The process that asked decides.
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { signal(number, SIG_IGN) }
    try LockdownError.check(holdfast_adopt_orphans(), "adopt the program's processes")
    let barriers = Barriers(program)
    let output = try Pipe()
    let failure = try Pipe()
    let process = holdfast_fork()
    guard process != 0 else { barriers.start(output: output.input, failure: failure.input) }
    guard process > 0 else { throw LockdownError("start a process", errno: errno) }
    output.closeInput()
    failure.closeInput()
    defer { endAll() }
    let reason = failure.text()
    guard reason.isEmpty else { throw LockdownError(reason) }
    return watch(process, output, seconds: program.seconds)
  }

  /// Waits for the program's end.
  private static func watch(
    _ number: pid_t, _ output: borrowing Pipe, seconds: Double
  ) -> ConfinedReply {
    guard let process = ProcessDescriptor(child: number) else {
      return .refused("could not watch over the program: \(String(cString: strerror(errno)))")
    }
    var (deadline, tail) = (Deadline(in: seconds), OutputTail())
    while !deadline.isOver {
      var entries = [process.number, STDIN_FILENO, output.output].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      if tail.isClosed { entries.removeLast() }
      _ = poll(&entries, nfds_t(entries.count), Deadline.longestStep)
      if entries.last?.revents != 0, !tail.isClosed { tail.read(output.output) }
      deadline.tick()
      if entries[1].revents != 0 { break }
      guard entries[0].revents != 0 else { continue }
      var status: CInt = 0
      waitpid(number, &status, 0)
      endAll()
      while !tail.isClosed { tail.read(output.output) }
      let (exit, signal) = (holdfast_exit_status(status), holdfast_end_signal(status))
      return .ended(
        status: exit >= 0 ? exit : nil, signal: signal >= 0 ? signal : nil, lastLine: tail.lastLine)
    }
    return .overdue(lastLine: tail.lastLine)
  }

  /// Kills every process that is left, however often it was forked, and waits for all of them.
  private static func endAll() {
    var status: CInt = 0
    while true {
      let text = try? String(
        contentsOfFile: "/proc/self/task/\(getpid())/children", encoding: .utf8)
      let children = (text ?? "").split(separator: " ").compactMap { pid_t($0) }
      for child in children { kill(child, SIGKILL) }
      // Those of a process that has ended come next.
      for _ in children where waitpid(-1, &status, 0) < 0 && errno == ECHILD { return }
      if children.isEmpty, waitpid(-1, &status, WNOHANG) < 0, errno == ECHILD { return }
    }
  }
}

/// A pipe whose ends are closed on exec.
struct Pipe: ~Copyable {
  let output: CInt
  let input: CInt

  init() throws(LockdownError) {
    var ends: [CInt] = [-1, -1]
    try LockdownError.check(pipe(&ends), "make a pipe")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (output, input) = (ends[0], ends[1])
  }

  deinit { close(output) }

  func closeInput() { close(input) }

  /// Reads to the end.
  func text() -> String {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while true {
      let size = read(output, &buffer, buffer.count)
      if size < 0, errno == EINTR { continue }
      guard size > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer.prefix(size)
    }
  }
}

/// The end of what a program writes to standard error. The rest is discarded.
struct OutputTail {
  private static let most = 4096
  private var bytes: [UInt8] = []
  private(set) var isClosed = false

  mutating func read(_ descriptor: CInt) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let size = Glibc.read(descriptor, &buffer, buffer.count)
    if size < 0, errno == EINTR { return }
    guard size > 0 else { return isClosed = true }
    bytes = (bytes + buffer.prefix(size)).suffix(Self.most)
  }

  var lastLine: String {
    bytes.split { $0 == 10 || $0 == 13 }
      .map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces) }
      .last { !$0.isEmpty } ?? ""
  }
}
