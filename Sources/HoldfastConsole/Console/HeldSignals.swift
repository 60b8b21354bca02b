import CLinux
package import Foundation
import Glibc

/// The signals that end a command, held back for a process that does all its work in children.
///
/// Swift's concurrency and Dispatch keep a timer that wakes a process each second, for as long as it
/// lives. A command that waits for days therefore uses neither. It forks a child for each piece of work,
/// as a process with one thread can, and the child uses both.
package final class HeldSignals {
  /// Can be read once a signal has come.
  package let descriptor: CInt
  /// Whether a signal was passed on to a child.
  package private(set) var hasCome = false
  private let numbers: [CInt]

  /// Holds the signals back. No other thread may have been started.
  package init() throws {
    numbers = Interruption.numbers.filter { !Interruption.ignored.contains($0) }
    descriptor = unsafe holdfast_hold_signals(numbers, CInt(numbers.count))
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EINVAL) }
  }

  deinit { close(descriptor) }

  /// Does work in a child, and waits for its end. A signal that comes meanwhile is passed on.
  ///
  /// - Parameter work: Begins on the child's only thread. An error that it throws ends the child as
  ///   it ends a command, and has to be printed there.
  /// - Returns: The child's status, which is negative if a signal ended it, and what the work
  ///   returned.
  package func inChild(
    _ work: @escaping @Sendable () async -> (status: CInt, answer: Data)
  ) throws -> (status: CInt, answer: Data) {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EINVAL) }
    let child = holdfast_fork()
    guard child != 0 else {
      close(ends[0])
      unsafe holdfast_release_signals(numbers, CInt(numbers.count))
      Self.live(writingTo: ends[1], work)
    }
    close(ends[1])
    defer { close(ends[0]) }
    guard child > 0 else { throw POSIXError(.init(rawValue: errno) ?? .EINVAL) }
    let answer = read(ends[0], of: child)
    var status: CInt = 0
    while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
    return (holdfast_exit_status(status), answer)
  }

  private static func live(
    writingTo end: CInt, _ work: @escaping @Sendable () async -> (status: CInt, answer: Data)
  ) -> Never {
    _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      let (status, answer) = await work()
      try? FileHandle(fileDescriptor: end).write(contentsOf: answer)
      isDone.signal()
      Glibc.exit(status)
    }
    // The answer ends the process.
    while true { isDone.wait() }
  }

  private func read(_ end: CInt, of child: pid_t) -> Data {
    var answer = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var polled = [end, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      guard unsafe poll(&polled, 2, -1) >= 0 else {
        if errno == EINTR { continue }
        return answer
      }
      // Each of them, as a second one ends a child that does not end by itself.
      if polled[1].revents != 0, unsafe Glibc.read(descriptor, &buffer, buffer.count) > 0 {
        hasCome = true
        kill(child, SIGTERM)
      }
      guard polled[0].revents != 0 else { continue }
      let count = unsafe Glibc.read(end, &buffer, buffer.count)
      guard count > 0 else { return answer }
      answer.append(contentsOf: buffer[..<count])
    }
  }
}
